"""What really went wrong for people: every report about streams, calls and requests has a test named after what is right."""

import importlib
from pathlib import Path
from typing import Any

import pytest

from tests.providers.speaking import parsed
from tests.providers.test_odd_streams import HI, STOP, sse

REPORTS = Path(__file__).parents[3] / "shared" / "cases" / "field-reports.md"
WHERE: dict[str, str] = {
    "emoji or CJK": "test_body.test_a_character_cut_between_reads_stays_whole",
    "token silently lost": "test_body.test_an_event_cut_in_the_middle_of_its_json_is_not_lost",
    "CR at the end of a read": "test_body.test_a_line_break_cut_between_cr_and_lf_is_one_line_break",
    "`data:{...}` (no space)": "test_body.test_the_space_after_the_colon_is_optional",
    "several `data:` lines": "test_body.test_several_data_lines_of_one_event_are_joined",
    "`choices[0]` IndexError": "test_body.test_a_chunk_without_choices_is_read_for_its_usage",
    "same index": "test_tool_calls.test_a_second_whole_object_at_the_same_index_is_never_run_with_half_the_arguments",
    'arguments `""` then': "test_tool_calls.test_no_arguments_in_any_wording_are_an_empty_object_under_an_undoubled_name",
    "parallel: all but the last": "test_tool_calls.test_arguments_that_come_with_the_name_are_kept_for_every_parallel_call",
    "closing brace lost": "test_tool_calls.test_two_calls_of_one_tool_are_not_merged_by_name",
    "no index, no type": "test_tool_calls.test_a_call_without_index_and_type_is_one_call",
    "400: name longer than 64": "tests.mcp_host.test_naming.test_every_tool_gets_a_fitting_name_of_its_own",
    '"object schema missing properties"': "test_requests.test_any_input_schema_is_reduced_to_what_the_vendor_takes",
    "Gemini 400 Unknown name": "test_requests.test_any_input_schema_is_reduced_to_what_the_vendor_takes",
    "`items: missing field`": "test_requests.test_any_input_schema_is_reduced_to_what_the_vendor_takes",
    "400 for empty declarations": "test_requests.test_no_tools_means_no_word_of_tools",
    "HTTP 200, then `event: error`": "test_endpoint.test_an_error_that_comes_with_words_keeps_the_words",
    "error object beside choices": "test_field_reports.test_an_error_beside_or_after_the_end_wins_over_the_finish_reason",
}


def reported() -> list[str]:
    """The symptoms of sections A to C."""
    text = REPORTS.read_text("utf-8") if REPORTS.is_file() else ""
    rows = text.partition("## A.")[2].partition("## D.")[0].splitlines()
    cells = [row.split("|")[1].strip() for row in rows if row.startswith("|")]
    return [cell for cell in cells if cell != "symptom" and not cell.startswith("---")]


@pytest.mark.skipif(not REPORTS.is_file(), reason="the field reports (../shared/cases) are not here")
def test_every_report_has_a_test() -> None:
    assert [symptom for symptom in reported() if not any(symptom.startswith(known) for known in WHERE)] == []


@pytest.mark.parametrize("where", sorted(set(WHERE.values())))
def test_the_test_of_a_report_is_there(where: str) -> None:
    module, _, name = where.rpartition(".")
    assert callable(getattr(importlib.import_module(module if "." in module else f"tests.providers.{module}"), name))


@pytest.mark.parametrize("beside", [True, False])
def test_an_error_beside_or_after_the_end_wins_over_the_finish_reason(beside: bool) -> None:
    error: dict[str, Any] = {"error": {"message": "boom", "code": 500}}
    heard = parsed("openai-chat", [sse(HI, *([{**STOP, **error}] if beside else [STOP, error]), "[DONE]")])
    assert heard.error is not None
    assert (heard.error.kind, heard.text) == ("internal", "hi")
