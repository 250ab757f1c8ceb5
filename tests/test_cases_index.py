"""Which test covers which case of the product's behaviour. A case without a test, or a name that no test
has, fails."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

TESTS = Path(__file__).resolve().parent

WANTED = (
    *(f"CON-{number:02}" for number in range(1, 15)),
    *(f"MCP-{number:02}" for number in range(1, 14)),
    *(f"SEC-{number:02}" for number in (1, 2, 3, 4, 6, 7, 8)),
    *(f"QUE-{number:02}" for number in range(1, 9)),
    *(f"CHR-{number:02}" for number in range(1, 13)),
    *(f"COD-{number:02}" for number in range(1, 10)),
    *(f"EDT-{number:02}" for number in range(1, 8)),
    *(f"DRW-{number:02}" for number in range(1, 8)),
    *(f"MDS-{number:02}" for number in range(1, 11)),
    *(f"ANS-{number:02}" for number in (*range(1, 9), 10)),
    "REN-02",
    *(f"UND-{number:02}" for number in range(1, 10)),
    *(f"WSL-{number:02}" for number in range(1, 5)),
    *(f"SYN-{number:02}" for number in (1, 2, 3, 5, 7)),
    *(f"APR-{number:02}" for number in range(1, 8)),
)

COVERED: dict[str, tuple[str, ...]] = {
    # Limits and load
    "WSL-01": ("test_cases_load.py::test_a_page_that_never_reads_is_cut_and_others_go_on",),
    "WSL-02": (
        "test_cases_limits.py::test_three_megabytes_are_refused_with_the_limit_and_the_link_stays",
        "test_cases_limits.py::test_a_sheet_of_many_megabytes_comes_to_a_page_in_parts",
        "page/edit.test.js::a big paste is parted between rows, and the cells are the same",
        "test_cases_load.py::"
        "test_a_page_that_reads_late_gets_a_sheet_that_is_larger_than_what_it_may_leave_unread",
    ),
    "WSL-03": ("test_cases_load.py::test_calls_edits_and_a_cancellation_at_once_are_each_handled_once",),
    "WSL-04": ("test_cases_load.py::test_every_goodbye_says_why",),
    # Connection and lifecycle
    "CON-01": ("test_cases_connection.py::test_relays_that_come_and_go_leave_nothing_behind",),
    "CON-02": (
        "test_cases_connection.py::test_when_the_default_port_is_taken_the_next_free_one_is_announced",
        "test_cases_connection.py::test_a_port_can_be_chosen_by_option_and_by_variable",
        "test_cases_connection.py::test_a_chosen_port_that_is_taken_is_an_error_of_one_line",
    ),
    "CON-03": ("test_cases_connection.py::test_a_start_needs_no_other_program_and_says_nothing_alarming",),
    "CON-04": (
        "test_cases_connection.py::test_lock_files_that_were_left_behind_are_nothing",
        "test_cases_connection.py::test_a_relay_starts_a_broker_in_spite_of_old_lock_files",
        "test_door.py::test_a_lock_file_that_was_left_behind_means_nothing",
    ),
    "CON-05": (
        "test_cases_connection.py::test_after_a_crash_agents_and_page_go_on_with_what_was_there",
        "test_e2e_desk.py::test_a_person_and_two_agents_share_a_desk_through_a_crash",
        "test_crash.py::test_agents_went_on_through_every_crash_without_anybodys_help",
    ),
    "CON-06": (
        "test_cases_asleep.py::test_an_agent_that_slept_until_it_was_dropped_goes_on_as_the_same",
        "test_cases_asleep.py::"
        "test_a_call_to_a_broker_that_sleeps_is_refused_in_time_and_done_once_when_it_wakes",
        "test_cases_asleep.py::test_a_line_that_goes_dead_is_noticed_and_a_fresh_one_taken",
        "test_relay_link.py::test_a_quiet_link_is_pinged_and_a_silent_one_dropped",
        "test_relay_session.py::test_a_call_waits_eight_seconds_and_is_then_refused_with_how_to_go_on",
    ),
    "CON-07": (
        "test_desk_pages.py::test_a_second_page_is_read_only_until_it_takes_the_seat",
        "page/link.test.js::a page without the seat may not edit until it takes it",
        "page/webmcp.test.js::"
        "a page without the seat announces nothing, and takes back what it announced when it loses it",
    ),
    "CON-08": (
        "test_cases_connection.py::"
        "test_after_a_stop_relays_wait_say_so_and_find_the_next_broker_by_themselves",
        "test_relay_link.py::test_after_a_stop_it_waits_and_joins_as_soon_as_a_new_address_is_published",
    ),
    "CON-09": (
        "test_relay_link.py::test_a_broker_that_accepts_and_closes_is_asked_at_most_twelve_times_a_minute",
        "test_relay_link.py::test_a_link_that_lived_five_seconds_starts_the_back_off_anew",
        "page/socket.test.js::"
        "a broker that lets in and closes at once is tried at most a dozen times a minute",
    ),
    "CON-10": (
        "test_cases_connection.py::test_a_wrong_key_is_said_clearly_and_the_process_stays_idle",
        "test_cases_security.py::test_a_stranger_hears_nothing_but_the_close",
        "test_relay_link.py::test_a_wrong_key_is_tried_once_and_then_never_again",
        "test_relay_reconnect.py::test_a_wrong_key_is_told_at_each_call_and_not_tried_again",
    ),
    "CON-11": (
        "test_cases_connection.py::test_only_loopback_is_listened_on",
        "test_cases_page.py::test_every_address_that_loads_the_page_also_connects_it",
        "test_security_http.py::test_the_desk_answers_to_its_own_names",
    ),
    "CON-12": (
        "page/link.test.js::another build of the broker ends the conversation and keeps what is unsent",
        "test_relay_reconnect.py::test_an_incompatible_broker_is_named_with_both_versions",
        "test_cases_security.py::test_a_right_key_with_another_protocol_is_told_both",
        "test_builds.py::test_a_newer_protocol_takes_over_an_idle_broker_and_is_told_of_one_in_use",
    ),
    "CON-13": (
        "test_cases_connection.py::test_a_named_canvas_is_meant_whatever_the_person_looks_at",
        "test_cases_connection.py::test_without_a_name_the_canvas_that_was_active_when_the_call_came_is_meant",
        "test_cases_connection.py::test_a_call_that_waits_means_the_canvas_of_its_arrival",
        "test_desk_tenants.py::test_a_call_works_where_the_person_was_when_it_arrived",
    ),
    "CON-14": (
        "test_cases_connection.py::test_without_a_page_agents_work_and_what_they_did_is_there_when_one_comes",
        "test_cases_page.py::test_what_was_done_without_a_page_is_there_after_reloads_and_a_persons_edit",
    ),
    # The protocol
    "MCP-01": (
        "test_cases_mcp.py::test_a_process_that_prints_while_it_works_still_speaks_only_the_protocol",
        "test_relay.py::test_noise_in_the_process_goes_to_stderr",
    ),
    "MCP-02": (
        "test_cases_mcp.py::test_thousands_of_calls_with_a_stderr_that_nobody_reads_are_all_answered",
        "test_relay.py::test_a_stderr_that_nobody_reads_blocks_nothing",
    ),
    "MCP-03": (
        "test_relay.py::test_no_input_is_the_end_and_starts_no_broker",
        "test_relay.py::test_no_input_is_the_end_with_a_broker_too",
    ),
    "MCP-04": (
        "test_cases_mcp.py::test_a_relay_whose_client_was_killed_ends_and_its_queue_is_withdrawn",
        "test_desk_tenants.py::test_leaving_drops_the_queue_and_stops_what_runs",
    ),
    "MCP-05": (
        "test_cases_mcp.py::test_a_signal_ends_the_process_at_once_and_quietly",
        "test_relay.py::test_a_signal_is_a_quiet_end",
    ),
    "MCP-06": (
        "test_cases_mcp.py::test_an_error_says_its_real_cause",
        "test_cases_mcp.py::test_a_syntax_error_names_the_line_of_the_script",
        "test_cases_mcp.py::test_a_refusal_reaches_the_official_client_as_a_result_with_its_fields",
    ),
    "MCP-07": (
        "test_cases_mcp.py::test_what_every_tool_answers_fits_its_output_schema",
        "test_cases_mcp.py::test_a_refusal_reaches_the_official_client_as_a_result_with_its_fields",
    ),
    "MCP-08": (
        "test_cases_mcp.py::test_every_schema_is_one_that_all_clients_can_read",
        "test_cases_mcp.py::test_the_list_of_tools_costs_no_more_than_its_budget",
    ),
    "MCP-09": (
        "test_cases_mcp.py::test_numbers_may_come_as_strings_and_lists_may_not",
        "test_cases_mcp.py::test_text_is_never_parsed",
    ),
    "MCP-10": (
        "test_cases_mcp.py::test_text_is_utf8_whatever_the_locale_says",
        "test_relay.py::test_text_survives_any_locale",
    ),
    "MCP-11": ("test_cases_mcp.py::test_two_agents_with_the_same_ids_get_their_own_answers",),
    "MCP-12": (
        "test_cases_limits.py::test_an_image_comes_or_is_refused_with_what_would_fit",
        "test_image.py::test_an_image_beyond_its_limits_is_refused_with_a_viewport_that_fits",
    ),
    "MCP-13": (
        "test_cases_limits.py::test_the_printed_snippet_starts_a_server_whatever_the_folder_is_called",
    ),
    # Security
    "SEC-01": (
        "test_security_http.py::test_another_host_is_refused_before_the_upgrade",
        "test_security_http.py::test_another_origin_is_refused_before_the_upgrade_whatever_it_knows",
        "test_security_http.py::test_no_host_or_two_are_refused",
        "test_cases_security.py::test_a_stranger_hears_nothing_but_the_close",
        "test_security_http.py::test_a_foreign_origin_beside_our_own_is_refused",
    ),
    "SEC-02": (
        "test_security_http.py::test_only_get_is_answered",
        "test_security_http.py::test_a_form_of_another_site_has_no_effect",
    ),
    "SEC-03": (
        "test_cases_security.py::test_a_stranger_hears_nothing_but_the_close",
        "test_cases_security.py::test_noise_is_no_hello",
        "test_cases_security.py::test_a_silent_peer_is_closed_within_seconds_and_told_nothing",
    ),
    "SEC-04": ("test_cases_page.py::test_a_revoked_agent_is_cut_off_and_nobody_else_notices",),
    "SEC-06": (
        "test_characters.py::test_hidden_text_reaches_no_cell",
        "test_characters.py::test_what_nobody_would_see_changes_nothing_and_is_named",
        "test_e2e_characters.py::test_what_hides_in_a_proposal_is_named_to_the_agent_and_not_in_the_ghost",
        "test_e2e_characters.py::test_letters_that_run_from_right_to_left_stand_in_columns_from_left_to_right",
        "test_e2e_characters.py::test_pasted_text_that_hides_something_shows_all_it_leaves_behind",
        "test_width_unicode.py::test_no_blank_holds_anything",
    ),
    "SEC-07": (
        "test_cases_security.py::test_a_literal_stroke_with_controls_is_refused_and_says_which",
        "test_cases_security.py::test_rendered_material_keeps_its_letters_and_no_control",
        "test_cases_security.py::test_a_search_for_a_control_is_refused",
    ),
    "SEC-08": ("test_cases_security.py::test_an_agent_that_must_ask_finds_no_other_way",),
    # Queues
    "QUE-01": (
        "test_cases_queue.py::test_twenty_writes_at_once_are_all_there",
        "test_desk_tenants.py::test_calls_of_one_tenant_are_served_in_their_order",
    ),
    "QUE-02": ("test_cases_queue.py::test_fifty_reads_in_flight_each_get_the_cell_they_asked_for",),
    "QUE-03": ("test_cases_queue.py::test_a_busy_agent_is_served_in_order_and_delays_nobody_else",),
    "QUE-04": (
        "test_cases_queue.py::test_beyond_the_limit_calls_are_refused_at_once_and_others_are_served",
        "test_desk_tenants.py::test_the_queue_has_a_limit_and_refuses_at_once",
    ),
    "QUE-05": (
        "test_cases_held.py::test_a_write_that_the_disk_holds_up_is_done_once_however_often_it_is_asked_for",
        "test_outbox.py::test_an_answer_that_waits_too_long_for_the_disk_says_that_its_outcome_is_unknown",
        "test_desk_repeats.py::test_the_same_key_and_arguments_get_the_first_result",
        "test_desk_repeats.py::test_the_same_key_with_other_arguments_is_a_mistake",
    ),
    "QUE-06": (
        "test_cases_limits.py::test_the_older_of_two_connections_is_told_and_two_processes_are_two_authors",
        "test_desk_tenants.py::test_two_live_agents_of_one_name_are_two_authors",
        "test_desk_tenants.py::test_a_newer_connection_with_the_token_replaces_the_older",
    ),
    "QUE-07": (
        "test_cases_held.py::test_what_a_late_worker_gives_is_counted_and_reaches_nobody",
        "test_desk_looking.py::test_a_call_that_takes_too_long_times_out_and_its_late_result_is_counted",
    ),
    "QUE-08": (
        "test_cases_queue.py::test_nobody_sees_the_calls_of_another",
        "test_desk_pages.py::test_agents_are_told_nothing_of_each_other",
    ),
    # Characters
    "CHR-01": (
        "test_cases_characters.py::test_wide_and_narrow_text_of_equal_width_ends_in_the_same_column",
        "test_cases_page.py::test_the_page_has_every_bar_in_the_column_where_the_tools_have_it",
        "test_characters.py::test_text_of_equal_width_ends_in_the_same_column",
    ),
    "CHR-02": (
        "test_cases_characters.py::test_a_letter_over_the_right_half_of_a_wide_glyph_takes_the_glyph_away",
        "test_cases_characters.py::test_a_letter_over_the_left_half_of_a_wide_glyph_takes_the_glyph_away",
        "test_cases_page.py::test_no_half_of_a_glyph_is_left_on_the_page_whoever_writes_over_it",
        "test_characters.py::test_no_road_leaves_a_half_of_a_glyph",
    ),
    "CHR-03": (
        "test_cases_characters.py::test_a_wide_glyph_between_two_others_takes_both_away",
        "test_cases_page.py::test_no_half_of_a_glyph_is_left_on_the_page_whoever_writes_over_it",
        "test_characters.py::test_no_road_leaves_a_half_of_a_glyph",
    ),
    "CHR-04": (
        "test_cases_characters.py::test_a_variation_selector_makes_a_symbol_wide_and_is_kept",
        "test_cases_page.py::test_the_page_has_every_bar_in_the_column_where_the_tools_have_it",
        "test_characters.py::test_a_sequence_is_one_cell_of_two_columns_and_read_back_as_it_was",
    ),
    "CHR-05": (
        "test_cases_characters.py::test_an_emoji_of_several_code_points_is_one_cell_of_two_columns",
        "test_cases_characters.py::test_erasing_either_column_of_an_emoji_removes_it_whole",
        "test_cases_page.py::test_the_page_has_every_bar_in_the_column_where_the_tools_have_it",
        "test_characters.py::test_a_sequence_is_one_cell_of_two_columns_and_read_back_as_it_was",
    ),
    "CHR-06": (
        "test_cases_characters.py::test_a_mark_at_the_beginning_of_a_text_does_not_join_a_neighbour",
        "test_cases_characters.py::test_a_lone_mark_is_dropped_with_its_code_point_and_changes_nothing",
        "test_characters.py::test_a_mark_without_a_letter_is_left_out_and_joins_no_neighbour",
        "test_characters.py::test_what_nobody_would_see_changes_nothing_and_is_named",
    ),
    "CHR-07": (
        "test_cases_characters.py::test_the_locale_of_the_broker_changes_no_width",
        "test_cases_page.py::test_the_page_has_every_bar_in_the_column_where_the_tools_have_it",
    ),
    "CHR-09": (
        "test_characters.py::test_both_spellings_of_a_letter_are_found_by_either_and_its_base_by_neither",
    ),
    "CHR-12": (
        "test_characters.py::test_blanks_at_the_end_of_a_row_are_not_read_as_text",
        "test_e2e_characters.py::test_a_copied_block_has_a_line_a_row_and_no_unseen_blanks_at_their_ends",
        "page/edit.test.js::a copy has a line for every row; blanks at the end go unless they can be seen",
    ),
    "CHR-08": (
        "test_e2e_characters.py::test_after_the_answer_page_and_agent_have_the_same_cells_whatever_was_typed",
        "test_e2e_characters.py::test_a_browser_that_breaks_text_otherwise_is_corrected_by_the_answer",
        "test_graphemes.py::test_clusters_end_where_unicode_says",
        "test_graphemes.py::test_every_shape_of_emoji_is_one_cluster_of_its_columns_and_kept_as_it_is",
        "test_graphemes.py::test_unicodes_files_hold_nothing_that_is_broken_or_measured_otherwise",
        "test_width_page.py::test_every_code_point_has_the_same_width_on_both_sides",
        "test_width_page.py::test_page_and_broker_agree_on_texts_that_no_person_would_write",
        "test_width_unicode.py::test_every_assigned_code_point_has_its_documented_width",
        "test_width_unicode.py::test_unassigned_and_private_code_points_have_a_documented_width",
    ),
    # Scripts
    "COD-01": (
        "test_cases_scripts.py::test_a_script_without_end_is_stopped_at_its_limit_and_changes_nothing",
    ),
    "COD-02": (
        "test_cases_scripts.py::test_a_script_without_end_is_stopped_at_its_limit_and_changes_nothing",
    ),
    "COD-03": ("test_cases_scripts.py::test_a_result_that_never_settles_is_told_and_the_place_is_free",),
    "COD-04": (
        "test_cases_scripts.py::"
        "test_a_script_without_measure_ends_at_a_limit_and_others_are_answered_meanwhile",
    ),
    "COD-05": ("test_code_calls.py::test_patterns_that_explode_end_in_scripts_and_do_nothing_in_a_search",),
    "COD-06": ("test_code_calls.py::test_a_wrong_call_anywhere_is_a_value_a_thousand_times",),
    "COD-07": ("test_cases_scripts.py::test_whatever_is_thrown_is_told_in_safe_and_short_text",),
    "COD-08": (
        "test_code_calls.py::test_a_getter_of_the_result_writes_in_time_or_not_at_all",
        "test_code_calls.py::"
        "test_a_result_that_spells_itself_is_spelled_before_the_end_and_one_that_loops_is_stopped",
    ),
    "COD-09": (
        "test_code_calls.py::test_sixteen_agents_run_scripts_at_once_and_none_fails",
        "test_sandbox_host.py::test_twenty_runs_side_by_side_have_each_their_own_clock_and_heap",
        "test_sandbox.py::test_waiting_for_an_answer_counts_as_time",
    ),
    # Material: Markdown, slides, terminal output, pictures
    "MDS-01": ("test_cases_material.py::test_three_levels_of_a_list_look_alike_at_every_indent",),
    "MDS-02": ("test_cases_material.py::test_a_table_in_an_item_stays_in_it",),
    "MDS-03": ("test_cases_material.py::test_bars_in_cells_and_a_row_with_too_many_of_them",),
    "MDS-04": (
        "test_cases_material.py::test_a_long_address_is_whole_in_its_pieces_its_target_and_for_search",
    ),
    "MDS-05": (
        "test_cases_material.py::test_dashes_in_code_separate_no_slides",
        "test_desk_decks.py::test_code_with_dashes_is_shown_word_for_word",
    ),
    "MDS-06": (
        "test_cases_material.py::test_what_separates_slides_and_what_does_not",
        "test_desk_decks.py::test_front_matter_is_no_slide_and_an_underlined_title_stays_a_heading",
    ),
    "MDS-07": ("test_cases_material.py::test_a_fence_in_an_item_does_not_end_the_list",),
    "MDS-08": ("test_cases_material.py::test_words_between_colons_stay_literal_and_aligned_in_tables_too",),
    "MDS-09": ("test_cases_material.py::test_html_runs_nothing_and_loses_no_text",),
    "MDS-10": (
        "test_cases_material.py::test_what_does_not_fit_on_a_slide_goes_on_and_is_counted",
        "test_desk_decks.py::test_what_does_not_fit_goes_on_on_a_further_sheet_and_is_reported",
    ),
    "ANS-01": ("test_cases_material.py::test_underlines_with_sub_parameters",),
    "ANS-02": ("test_cases_material.py::test_rgb_in_every_spelling",),
    "ANS-03": ("test_cases_material.py::test_parts_of_a_colour_mean_nothing_else",),
    "ANS-04": ("test_cases_material.py::test_broken_graphics_lose_no_text",),
    "ANS-05": ("test_cases_material.py::test_the_colour_of_an_underline_sets_nothing_else",),
    "ANS-06": ("test_cases_material.py::test_returns_and_backspaces",),
    "ANS-07": ("test_cases_material.py::test_sequences_that_draw_nothing_leave_nothing",),
    "ANS-08": ("test_cases_material.py::test_the_right_edge_of_art_and_of_a_log",),
    "ANS-10": (
        "test_cases_material.py::test_the_cursor_goes_where_it_is_sent",
        "test_cases_material.py::test_a_cursor_sent_too_far_stops_at_the_last_place_there_is",
    ),
    "REN-02": ("test_image.py::test_what_no_font_has_gets_a_placeholder_of_its_width_and_is_listed",),
    # Editing and drawing on the page
    "CHR-10": (
        "test_e2e_editor.py::test_pasted_lines_stand_under_each_other_and_tabs_have_stops",
        "test_characters.py::test_a_literal_stroke_with_a_control_is_refused_whole",
        "test_characters.py::test_tabs_of_material_stop_at_four_from_its_own_origin",
    ),
    "CHR-11": (
        "test_e2e_editor.py::test_three_lines_keep_their_leading_spaces",
        "test_characters.py::test_leading_blanks_of_a_drawing_keep_its_columns",
    ),
    "EDT-01": ("test_e2e_editor.py::test_a_composition_is_typed_once_where_it_began",),
    "EDT-02": ("test_e2e_editor.py::test_altgr_and_dead_keys_type_and_letters_choose_no_tool",),
    "EDT-03": ("test_e2e_editor.py::test_space_writes_and_delete_clears_whatever_had_the_focus_between",),
    "EDT-04": ("test_e2e_editor.py::test_arrows_go_by_cluster_and_a_click_on_a_half_takes_the_whole",),
    "EDT-05": (
        "test_e2e_editor.py::test_zoom_stays_within_its_limits_and_numbers_stay_finite",
        "test_e2e_editor.py::test_two_fingers_in_one_place_neither_zoom_nor_break_anything",
    ),
    "EDT-06": ("test_e2e_editor.py::test_far_places_are_written_found_and_gone_to",),
    "EDT-07": (
        "test_e2e_editor.py::test_a_large_picture_is_fitted_whole_and_pans_smoothly",
        "test_e2e_editor.py::test_a_drag_that_begins_beside_the_canvas_selects_nothing",
        "test_e2e_editor.py::test_a_drag_that_begins_on_a_ruler_selects_from_the_edge_of_the_canvas",
        "test_e2e_editor.py::test_a_drag_from_beside_a_slide_selects_no_more_than_the_slide",
    ),
    "DRW-01": (
        "test_e2e_editor.py::test_lines_join_in_either_order_and_end_on_each_other",
        "test_e2e_editor.py::test_weights_mix_letters_stay_letters_and_lines_can_lie_over",
        "page/shapes.test.js::"
        "lines that cross become a cross in either order, and a line that ends on one becomes a T",
    ),
    "DRW-02": ("test_e2e_editor.py::test_a_box_over_words_is_undone_and_redone_exactly",),
    "DRW-03": ("test_e2e_editor.py::test_the_eraser_takes_only_what_it_goes_over",),
    "DRW-04": ("test_e2e_editor.py::test_an_area_without_a_border_is_refused_at_once",),
    "DRW-05": ("test_e2e_editor.py::test_filling_with_the_same_is_no_step_and_another_colour_is_one",),
    "DRW-07": (
        "test_e2e_editor.py::test_a_double_box_meets_a_light_line_in_mixed_pieces",
        "page/edit.test.js::in ASCII every piece of a line is one letter, and no column moves",
    ),
    "DRW-06": (
        "test_e2e_editor.py::test_half_a_wide_glyph_is_selected_moved_and_deleted_whole",
        "test_desk_edits.py::test_a_move_takes_half_a_glyph_whole_and_leaves_what_empty_columns_land_on",
    ),
    # Undo, and catching up
    "UND-01": (
        "test_e2e_editor.py::test_undo_during_a_drag_cancels_the_drag_and_nothing_else",
        "page/gestures.test.js::a cancelled gesture leaves nothing, and the next one begins anew",
    ),
    "UND-02": (
        "test_cases_undo.py::test_the_persons_undo_takes_back_the_persons_edits_only",
        "test_cases_page.py::test_the_undo_key_walks_the_persons_edits_and_no_others",
        "test_desk_undo.py::test_ctrl_z_takes_back_only_what_the_person_did",
    ),
    "UND-03": (
        "test_cases_undo.py::test_a_dismissed_preview_leaves_no_trace_in_the_history",
        "test_desk_undo.py::test_a_dismissed_preview_leaves_no_step",
    ),
    "UND-04": (
        "test_cases_undo.py::test_no_step_ever_holds_letters_of_two_authors",
        "test_cases_undo.py::test_typing_in_one_go_is_one_step_though_an_agent_writes_elsewhere",
        "test_desk_undo.py::test_no_step_holds_letters_of_two_authors",
    ),
    "UND-08": (
        "test_cases_undo.py::test_what_an_agent_undoes_is_blank_for_everybody_and_stays_so",
        "test_cases_page.py::test_the_undo_key_walks_the_persons_edits_and_no_others",
        "test_desk_undo.py::test_an_undone_write_is_gone_for_everybody",
    ),
    "UND-09": (
        "test_cases_undo.py::test_an_accepted_ghost_is_one_step_of_the_person_who_accepted_it",
        "test_cases_undo.py::test_an_agent_can_take_its_accepted_ghost_back_by_its_id_as_long_as_it_stands",
        "test_cases_page.py::test_the_keys_walk_over_an_accepted_ghost_in_one_step",
        "test_desk_undo.py::test_what_the_person_accepted_is_the_persons_step",
    ),
    "UND-06": ("test_batch.py::test_an_error_names_the_step_and_nothing_is_applied",),
    "UND-05": (
        "test_cases_undo.py::test_a_script_that_throws_after_its_writes_is_no_step_of_anybody",
        "test_desk_scripts.py::test_all_writes_become_one_operation",
        "test_desk_scripts.py::test_a_run_that_fails_commits_nothing",
    ),
    "UND-07": ("test_names_and_pastes.py::test_a_paste_goes_as_it_came",),
    # Previews and approvals
    "APR-01": ("test_previews_whole.py::test_a_stale_preview_names_the_changed_cell_and_a_new_one_applies",),
    "APR-02": (
        "test_cases_approvals.py::test_every_kind_of_request_is_a_card_with_author_place_and_counts",
        "test_desk_approvals.py::test_a_card_says_who_where_and_how_much",
        "test_desk_approvals.py::test_a_card_counts_the_cells_that_go_with_a_sheet",
        "test_desk_approvals.py::test_a_card_names_what_becomes_of_canvases_and_sheets",
        "test_e2e_company.py::test_a_card_says_who_where_what_and_how_much",
    ),
    "APR-03": (
        "test_cases_approvals.py::test_a_request_outlives_a_reload_of_the_page_and_a_restart_of_the_broker",
        "test_desk_approvals.py::test_an_approval_is_there_again_after_a_restart",
    ),
    "APR-04": (
        "test_cases_approvals.py::test_who_applies_unasked_is_chosen_agent_by_agent_and_outlives_a_restart",
        "test_desk_approvals.py::test_the_choice_for_new_agents_and_a_leave_outlive_a_restart",
        "test_desk_approvals.py::test_new_agents_get_what_the_person_chose_and_known_ones_keep_theirs",
    ),
    "APR-05": (
        "test_desk_previews.py::test_of_two_overlapping_ghosts_one_is_applied",
        "test_previews_whole.py::test_accepting_one_of_two_overlapping_previews_makes_the_other_stale",
    ),
    "APR-06": (
        "test_cases_approvals.py::test_a_decision_that_is_lost_on_the_way_is_made_again_and_has_one_effect",
        "test_desk_approvals.py::test_a_decision_that_comes_twice_or_late_has_one_effect_and_leaves_no_card",
        "test_e2e_company.py::test_an_answer_that_is_lost_or_pressed_twice_counts_once",
    ),
    "APR-07": (
        "test_cases_approvals.py::test_a_leave_covers_new_calls_only_and_says_so_in_the_history",
        "test_desk_approvals.py::test_a_leave_is_for_one_agent_for_a_while_and_what_waits_goes_on_waiting",
    ),
    "SYN-01": (
        "test_cases_undo.py::test_a_viewer_that_was_away_sees_the_sheet_as_it_is",
        "test_cases_undo.py::"
        "test_an_agent_that_was_away_is_told_of_what_it_has_not_seen_before_it_writes_over_it",
    ),
    "SYN-02": (
        "test_desk_pages.py::test_an_offline_edit_over_what_others_did_is_a_conflict",
        "test_e2e_never_lost.py::"
        "test_an_erasing_offline_over_what_an_agent_wrote_is_the_persons_to_apply_or_drop",
        "page/link.test.js::"
        "what got no answer is sent again with what the person had seen, so nothing is overwritten unasked",
    ),
    "SYN-03": (
        "test_e2e_never_lost.py::test_a_browser_that_keeps_nothing_says_so_at_once_and_offers_a_file",
        "test_e2e_never_lost.py::test_with_a_full_browser_what_is_drawn_online_is_there_after_a_reload",
        "test_e2e_panels.py::test_a_full_storage_loses_nothing_the_vault_keeps_it_over_a_reload",
        "page/link.test.js::a storage that is full is told, and the edit goes out all the same",
    ),
    "SYN-05": ("test_names_and_pastes.py::test_contents_follow_the_canvas_whatever_it_is_called",),
    "SYN-07": (
        "test_e2e_never_lost.py::test_thirty_letters_on_a_link_of_two_seconds_survive_that_the_tab_is_closed",
        "test_cases_page.py::test_what_was_typed_on_a_slow_link_is_there_after_the_tab_was_closed",
        "page/link.test.js::a reload loses nothing that was typed",
        "page/link.test.js::drafts keep their order over a hundred reloads",
        "test_e2e_company.py::test_a_line_that_is_begun_or_written_while_the_desk_is_away_survives_a_reload_and_is_sent_once",
    ),
}


def _tests_of(file: str) -> set[str]:
    """The names of the tests in a file, Python or page."""
    text = (TESTS / file).read_text(encoding="utf-8")
    if file.endswith(".js"):
        return set(re.findall(r'^test\("(.+?)",', text, re.MULTILINE))
    return set(re.findall(r"^(?:async )?def (test_\w+)", text, re.MULTILINE))


def test_every_case_is_in_the_table() -> None:
    assert COVERED.keys() == set(WANTED)
    assert len(set(WANTED)) == len(WANTED)
    assert all(COVERED.values())


@pytest.mark.parametrize("case", COVERED)
def test_every_named_test_exists(case: str) -> None:
    for named in COVERED[case]:
        file, _, name = named.partition("::")
        assert name in _tests_of(file), f"{case} names {named}, which is gone"


def test_every_test_that_claims_a_case_is_in_the_table() -> None:
    claims = [claim for path in sorted(TESTS.glob("test_*.py")) for claim in _claims(path)]
    assert claims
    assert [f"{case}: {test}" for case, test in claims if test not in COVERED.get(case, ())] == []


def _claims(path: Path) -> Iterator[tuple[str, str]]:
    """The cases that docstrings of tests in this file name, each with the test."""
    for node in ast.parse(path.read_text(encoding="utf-8")).body:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.name.startswith("test_"):
            for case in re.findall(r"\b[A-Z]{3}-\d\d\b", ast.get_docstring(node) or ""):
                yield case, f"{path.name}::{node.name}"
