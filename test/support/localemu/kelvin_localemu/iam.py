"""Correct LocalEmu's evaluation of IAM policies where it differs from AWS's for Kelvin's calls."""

from collections.abc import Callable, Mapping
from typing import Any

from localemu.aws.api import RequestContext
from localemu.services.iam_enforcement import (
    arn_builder,
    condition_evaluator,
    enforcer,
    evaluator,
    resource_tag_loader,
)
from localemu.services.iam_enforcement.service_action_map import ACTION_MAP
from localemu.services.lambda_.invocation.models import lambda_stores

from kelvin_localemu.replace import replace

# arn:aws:logs:REGION:ACCOUNT:log-group:NAME
ARN_OF_A_LOG_GROUP = 6

_builder: Callable[..., str] = arn_builder.build_resource_arn
_conditions: Callable[..., dict[str, Any]] = enforcer._build_conditions
_matches: Callable[..., bool] = condition_evaluator.matches_conditions


def _resource_arn(service: str, request_params: dict[str, Any] | None, **rest: str) -> str:
    """Name an execution, a log group, and the table of a batch write (table/* for several).

    IAM identifies a log group by the ARN that ends with :*, except in calls about its tags:
    https://docs.aws.amazon.com/AmazonCloudWatchLogs/latest/APIReference/API_LogGroup.html
    """
    params = request_params or {}
    if service == "stepfunctions" and "executionArn" in params:
        return str(params["executionArn"])
    tables = list(params.get("RequestItems") or [])
    if service == "dynamodb" and len(tables) == 1:
        params = {**params, "TableName": tables[0]}
    arn = _builder(service=service, request_params=params, **rest)
    return f"{arn}:*" if service == "logs" and arn.count(":") == ARN_OF_A_LOG_GROUP else arn


def _with_more_keys(context: RequestContext, caller: object) -> dict[str, Any]:
    """Add the keys that limit roles to the account, listings to prefixes, writes to partitions."""
    conditions = {"aws:ResourceAccount": context.account_id, **_conditions(context, caller)}
    request = context.service_request or {}
    prefix, keys = request.get("Prefix"), _leading_keys(request)
    more = {"s3:prefix": prefix, "dynamodb:LeadingKeys": keys or None}
    return {**{key: value for key, value in more.items() if value is not None}, **conditions}


def _leading_keys(request: Mapping[str, Any]) -> list[str]:
    """Return the partition keys of the items that a DynamoDB request writes."""
    writes = [
        write for of_table in (request.get("RequestItems") or {}).values() for write in of_table
    ]
    batch = [write["PutRequest"]["Item"] for write in writes if "PutRequest" in write]
    single = [request["Item"]] if "Item" in request else []
    return [item["pk"]["S"] for item in single + batch]


def _function_tags(arn: str, account_id: str, region: str) -> dict[str, str]:
    """Return a function's tags from LocalEmu's store instead of moto's."""
    function = ":".join(arn.split(":")[:7])
    return dict(lambda_stores[account_id][region].tags.get_tags(function))


def _matches_numbers(statement: dict[str, Any], context: dict[str, Any]) -> bool:
    """Accept a number as a condition's value, as in ``"s3:TlsVersion": 1.2``."""
    conditions = {
        operator: {key: value if isinstance(value, list) else [value] for key, value in of.items()}
        for operator, of in (statement.get("Condition") or {}).items()
    }
    return _matches({**statement, "Condition": conditions}, context)


def install() -> None:
    """Replace LocalEmu's functions with these extensions."""
    ACTION_MAP["stepfunctions", "DescribeExecution"] = ["states:DescribeExecution"]
    replace(enforcer, "build_resource_arn", _resource_arn)
    replace(enforcer, "_build_conditions", _with_more_keys)
    replace(evaluator, "matches_conditions", _matches_numbers)
    resource_tag_loader._LOADERS["lambda"] = _function_tags
