"""The fewest arguments that each tool accepts, as far as known."""

from typing import Any

NEEDS: dict[str, Any] = {"mirrors": {"test_mirrored_argument": {"region": "Region"}}}
"""The values of settings, the toolsets and the headers that calls need."""

LEAST: dict[str, dict[str, Any]] = {}
"""Arguments of tools that make a request."""

TOLD: dict[str, dict[str, Any]] = {
    "test_simple_text": {},
    "test_image_content": {},
    "test_audio_content": {},
    "test_embedded_resource": {},
    "test_multiple_content_types": {},
    "test_error_handling": {},
    "test_tool_with_logging": {},
    "test_logging_tool": {},
    "test_tool_with_progress": {},
    "test_reconnection": {},
    "test_sampling": {"prompt": "sample"},
    "test_elicitation": {"message": "sample"},
    "test_elicitation_sep1034_defaults": {},
    "test_elicitation_sep1330_enums": {},
    "json_schema_2020_12_tool": {},
    "test_mirrored_argument": {"region": "sample"},
    "test_missing_capability": {},
    "test_streaming_elicitation": {},
    "test_input_required_result_elicitation": {},
    "test_input_required_result_sampling": {},
    "test_input_required_result_list_roots": {},
    "test_input_required_result_request_state": {},
    "test_input_required_result_multiple_inputs": {},
    "test_input_required_result_multi_round": {},
    "test_input_required_result_tampered_state": {},
    "test_input_required_result_capabilities": {},
}
"""Arguments of tools with a declared answer."""
