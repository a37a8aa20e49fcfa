"""The fewest arguments that each tool accepts, as far as known."""

from typing import Any

LEAST: dict[str, dict[str, Any]] = {
    "list_bicycles": {},
    "register_bicycle": {"frame_number": "KX-20441", "owner_name": "Ines Marlow"},
    "get_bicycle": {"id": 1},
    "change_bicycle": {"id": 12, "brand": "Heron", "null_fields": ["note"]},
    "delete_bicycle": {"id": 1},
    "name_bicycle": {"id": 1, "body": "sample"},
    "order_repair": {
        "bicycle_id": 12,
        "ready_by": "2026-04-02",
        "job_kind": "wheel",
        "job_position": "front",
        "job_spokes": 4,
        "lines": '[{"sku":"SPK-2","count":4}]',
    },
    "get_repair": {"repair_id": "3fa85f64-5717-4562-b3fc-2c963f66afa6"},
    "add_photo": {"repair_id": "3fa85f64-5717-4562-b3fc-2c963f66afa6", "photo": "c2FtcGxl"},
    "write_diary": {"repair_id": "3fa85f64-5717-4562-b3fc-2c963f66afa6", "body": "sample"},
    "get_part": {"sku": "AAA-0"},
    "store_part": {"sku": "AAA-0", "name": "Front wheel"},
    "set_prices": {"sku": "AAA-0", "body": "{}"},
    "import_parts": {"body": '[{"sku":"SPK-2","count":4}]'},
    "order_parts": {"number": "A & B-7", "deliver_to_street": "Mill Lane 3"},
    "count_parts": {"body": '[{"sku":"SPK-2","count":4}]'},
    "look_into_bins": {"shelf": "A", "bins": [1]},
    "read_manual": {"title": "sample"},
    "store_manual": {"title": "sample", "body": "c2FtcGxl"},
    "take_payment": {"repair": 31, "amount": 48.5, "method": "cash"},
    "search_reports": {"first_day": "2026-01-01"},
    "get_opening_hours": {},
}
