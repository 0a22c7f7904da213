"""lib/contract/cases/sha256-*.json."""

from typing import Any

import pytest
from contract_files import case_name, cases, check_event, check_outcome

from bench_core.boot import Boot
from sha256.chain import chain, leading_bits
from sha256.request import read_request
from sha256.serve import serve


@pytest.mark.parametrize("case", cases("sha256-events.json"), ids=case_name)
def test_an_event_is_read_as_the_contract_says(case: dict[str, Any]) -> None:
    check_event(case, lambda event: read_request(event)._asdict())


@pytest.mark.parametrize("case", cases("sha256-operations.json"), ids=case_name)
def test_a_chain_ends_as_the_contract_says(case: dict[str, Any], boot: Boot) -> None:
    check_outcome(case, lambda event: serve(event, boot, "python"))


def test_the_value_is_what_the_digest_begins_with() -> None:
    digest = chain(1)
    assert digest[:6].hex() == "66687aadf862"
    assert leading_bits(digest) == 0x66687AADF862
