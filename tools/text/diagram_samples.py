"""One sample of every kind of Mermaid diagram, for the gallery."""

from __future__ import annotations

DIAGRAMS = (
    (
        "Flowchart",
        72,
        """
flowchart TD
  A[Commit] --> B{tests pass?}
  B -->|yes| C[[Build]]
  B -->|no| D([Fix it])
  D --> A
  C ==> E[(Registry)]
""",
    ),
    (
        "Flowchart, sideways",
        72,
        """
graph LR
  A[読む Parse] -->|tokens| B[Build] --> C[Run]
  A -.-> C
""",
    ),
    (
        "Flowchart with groups",
        72,
        """
flowchart TD
  subgraph edge [Edge]
    lb{{Balancer}} --> web[Web]
    lb --> cdn[(Cache)]
  end
  subgraph core [Core 核]
    api[API] --> auth([Auth])
    subgraph data [Data]
      db[(Store)]
      idx[(Index)]
    end
    api -->|SQL| db
    api --> idx
  end
  web -->|https| api
  cdn -.->|miss| api
  core --> log[Log]
""",
    ),
    (
        "Sequence",
        72,
        """
sequenceDiagram
  participant A as Agent
  participant D as Desk
  participant P as 人 Person
  A->>D: preview
  D-->>P: ghost
  alt applied
    P->>D: yes
    D-->>A: op-1
  else vetoed
    P-xD: no
  end
""",
    ),
    (
        "Classes",
        72,
        """
classDiagram
  class Shape {
    <<abstract>>
    +Point at
    +draw() Cells
  }
  Shape <|-- Box
  Shape <|-- Arrow
  Box "1" --> "*" Arrow : ends
""",
    ),
    (
        "States",
        72,
        """
stateDiagram-v2
  [*] --> Open
  Open --> Done : apply
  Done --> Open : undo
  Done --> [*]
  state Open {
    [*] --> Draft
    Draft --> Shown : preview
  }
""",
    ),
    (
        "Entities",
        72,
        """
erDiagram
  CANVAS ||--|{ SHEET : has
  SHEET ||--o{ CELL : holds
  SHEET {
    int revision
  }
""",
    ),
    (
        "Gantt",
        72,
        """
gantt
  title Plan
  section Build
  Design :done, a, 2026-01-05, 5d
  Code :active, b, after a, 10d
  section Ship
  Test :crit, after b, 4d
  Release :milestone, 2026-01-26, 0d
""",
    ),
    (
        "Pie",
        50,
        """
pie showData title Cells
  "text" : 60
  "lines" : 30
  "空" : 10
""",
    ),
    (
        "Mind map",
        72,
        """
mindmap
  root((desk))
    canvases
      sheets
      slides
    人 people
    agents
""",
    ),
    (
        "Journey",
        72,
        """
journey
  title A first drawing
  section Start
    Install: 4: Ada
    Open the page: 5: Ada
  section Draw
    Ask an agent: 3: Ada, 助手
    Apply: 5: Ada
""",
    ),
    (
        "Timeline",
        72,
        """
timeline
  title Characters
  1963 : ASCII
  1991 : Unicode 1.0 : 28,000 characters
  2010 : Emoji
  2025 : Unicode 17
""",
    ),
    (
        "Git graph",
        72,
        """
gitGraph
  commit id: "first cell"
  branch draw
  commit id: "boxes"
  commit id: "arrows"
  checkout main
  commit id: "fix"
  merge draw tag: "v1.0"
  commit id: "docs"
""",
    ),
    (
        "Quadrants",
        72,
        """
quadrantChart
  x-axis Little work --> Much work
  y-axis Small --> Large
  quadrant-1 Plan
  quadrant-2 Do now
  quadrant-3 Maybe
  quadrant-4 Drop
  Undo: [0.2, 0.9]
  Search: [0.4, 0.7]
  Themes: [0.7, 0.2]
""",
    ),
)
"""Title, width, source."""
