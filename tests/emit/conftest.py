"""Makes the handwritten servers importable, and collects real documents only if present."""

import sys
from pathlib import Path

HERE = Path(__file__).parent
CORPUS = HERE.parents[2] / "shared" / "corpus" / "openapi"

if str(HERE) not in sys.path:
    sys.path.insert(0, str(HERE))

collect_ignore = [] if CORPUS.is_dir() else ["test_corpus_layout.py"]
