"""Knowledge bases and documents of the Reading Room: what its operations do."""

from __future__ import annotations

import json
import re
from typing import Any

from docs.examples.reading_room.library import (
    Library,
    Problem,
    cut,
    embedded,
    fingerprint,
    near,
    ranked,
    shared,
    stored,
)

Json = dict[str, Any]


def list_knowledge_bases(library: Library, workspace: str) -> list[Json]:
    """Those of a workspace, by name."""
    query = "select * from knowledge_bases where workspace = ? order by name"
    return [_shown(row) for row in library.rows(query, workspace)]


def create_knowledge_base(library: Library, workspace: str, wanted: Json) -> Json:
    """What was made; a collection is made last, so that a refusal leaves none behind."""
    name = wanted["name"]
    collection = wanted.get("vectorCollection") or re.sub(r"\W+", "_", name.lower())
    attach = wanted.get("attach", False)
    if library.rows(
        "select 1 from knowledge_bases where workspace = ? and name = ?", workspace, name
    ):
        raise Problem(409, "kb_name_taken", f"Another knowledge base is called {name}.")
    exists = bool(
        library.rows(
            "select 1 from collections where workspace = ? and name = ?", workspace, collection
        )
    )
    if exists and not attach:
        raise Problem(409, "collection_name_taken", f"There is a collection {collection}.")
    if attach and not exists:
        raise Problem(404, "collection_not_found", f"There is no collection {collection}.")
    if wanted["embeddingServiceId"] != "letters-26":
        raise Problem(422, "embedding_mismatch", "Vectors of that service do not have 26 numbers.")
    kb = library.id("kb")
    if not attach:
        library.add("collections", workspace=workspace, name=collection)
    library.add(
        "knowledge_bases",
        id=kb,
        workspace=workspace,
        name=name,
        description=wanted.get("description", ""),
        language=wanted.get("language", "en"),
        collection=collection,
        owned=not attach,
        chunking=wanted["chunkingServiceId"],
        embedding=wanted["embeddingServiceId"],
        reranking=wanted.get("rerankingServiceId"),
    )
    return {
        "outcome": "created",
        "knowledgeBaseId": kb,
        "vectorCollection": collection,
        "owned": not attach,
    }


def delete_knowledge_base(library: Library, workspace: str, kb: str) -> Json:
    """What is gone: an own collection first, then the documents, then the knowledge base."""
    found = _found(library, workspace, kb)
    if found["owned"]:
        library.remove("collections", workspace=workspace, name=found["collection"])
    library.remove("chunks", kb=kb)
    library.remove("documents", kb=kb)
    library.remove("knowledge_bases", id=kb)
    return {"outcome": "deleted", "knowledgeBaseId": kb}


def search(library: Library, workspace: str, kb: str, asked: Json) -> list[Json]:
    """The best chunks for a text or a vector."""
    found = _found(library, workspace, kb)
    text = asked.get("text", "")
    vector = asked.get("vector") or embedded(text)
    reranked = asked.get("rerank", False) and found["reranking"]
    hits = []
    for chunk in library.rows("select * from chunks where kb = ?", kb):
        score = near(vector, json.loads(chunk["vector"]))
        if asked.get("hybrid"):
            score = (score + shared(text, chunk["content"])) / 2
        if reranked:
            score = shared(text, chunk["content"])
        hits.append(
            {
                "chunkId": chunk["id"],
                "score": round(score, 6),
                "documentId": chunk["document"],
                "content": chunk["content"],
                "collection": found["collection"],
            }
        )
    return ranked(hits, asked.get("topK", 5))


def list_documents(library: Library, workspace: str, kb: str, limit: str = "50") -> list[Json]:
    """The documents of a knowledge base, the newest first."""
    _found(library, workspace, kb)
    query = "select * from documents where kb = ? order by at desc, rowid desc limit ?"
    return [_document(library, row) for row in library.rows(query, kb, int(limit))]


def ingest(library: Library, workspace: str, kb: str, given: Json) -> Json:
    """What came of a text: read, or known already; a problem if another has its name."""
    _found(library, workspace, kb)
    text, name = given["text"], given.get("sourceFilename")
    mark = fingerprint(text)
    if same := library.rows("select * from documents where kb = ? and hash = ?", kb, mark):
        return {"outcome": "duplicate", "documentId": same[0]["id"], "sourceFilename": name}
    named = library.rows("select * from documents where kb = ? and filename = ?", kb, name)
    if named and not given.get("overwriteOnNameConflict"):
        raise Problem(
            409,
            "name_conflict",
            f"Another text is called {name}.",
            documentId=named[0]["id"],
            sourceFilename=name,
        )
    for row in named:
        delete_document(library, workspace, kb, row["id"])
    document = library.id("doc")
    chunks = cut(text)
    for content in chunks:
        library.add(
            "chunks",
            id=library.id("chunk"),
            document=document,
            kb=kb,
            content=content,
            vector=stored(embedded(content)),
        )
    library.add(
        "documents",
        id=document,
        kb=kb,
        filename=name,
        source=given.get("sourceDocId"),
        hash=mark,
        metadata=stored(given.get("metadata", {})),
        at=library.now(),
    )
    return {
        "outcome": "completed",
        "documentId": document,
        "sourceFilename": name,
        "contentHash": mark,
        "chunks": len(chunks),
    }


def delete_document(library: Library, workspace: str, kb: str, document: str) -> Json:
    """What is gone: the chunks first, then the document."""
    _found(library, workspace, kb)
    library.one("document", "select * from documents where id = ? and kb = ?", document, kb)
    dropped = library.remove("chunks", document=document)
    library.remove("documents", id=document)
    return {"outcome": "deleted", "documentId": document, "chunksDropped": dropped}


def _found(library: Library, workspace: str, kb: str) -> Json:
    query = "select * from knowledge_bases where id = ? and workspace = ?"
    return library.one("knowledge_base", query, kb, workspace)


def _shown(row: Json) -> Json:
    return {
        "knowledgeBaseId": row["id"],
        "name": row["name"],
        "description": row["description"],
        "status": "ready",
        "language": row["language"],
        "vectorCollection": row["collection"],
        "owned": bool(row["owned"]),
        "chunkingServiceId": row["chunking"],
        "embeddingServiceId": row["embedding"],
        "rerankingServiceId": row["reranking"],
    }


def _document(library: Library, row: Json) -> Json:
    chunks = library.rows("select id from chunks where document = ?", row["id"])
    return {
        "documentId": row["id"],
        "sourceFilename": row["filename"],
        "sourceDocId": row["source"],
        "status": "ready",
        "chunkTotal": len(chunks),
        "contentHash": row["hash"],
        "ingestedAt": row["at"],
        "metadata": json.loads(row["metadata"]),
    }
