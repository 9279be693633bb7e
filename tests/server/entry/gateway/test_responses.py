"""The gateway turns a function's return value into the response that API Gateway would send."""

import base64
import json

import httpx
import pytest


def answer(http: httpx.Client, result: object) -> httpx.Response:
    return http.post("/answer", content=json.dumps(result), headers={"content-type": "application/json"})


def test_status_headers_and_body_are_the_functions(http: httpx.Client) -> None:
    result = {"statusCode": 401, "headers": {"WWW-Authenticate": "Bearer", "x-count": 3}, "body": "größe"}
    response = answer(http, result)
    assert (response.status_code, response.text) == (401, "größe")
    assert (response.headers["www-authenticate"], response.headers["x-count"]) == ("Bearer", "3")


def test_a_body_without_a_type_is_plain_text(http: httpx.Client) -> None:
    assert answer(http, {"statusCode": 200, "body": "{}"}).headers["content-type"] == "text/plain;charset=UTF-8"


def test_each_cookie_is_a_header_of_its_own(http: httpx.Client) -> None:
    response = answer(http, {"statusCode": 200, "cookies": ["a=1; Secure", "b=2"]})
    assert response.headers.get_list("set-cookie") == ["a=1; Secure", "b=2"]


def test_a_base64_body_arrives_as_its_bytes(http: httpx.Client) -> None:
    body = base64.b64encode(b"\x00\xff").decode()
    assert answer(http, {"statusCode": 200, "body": body, "isBase64Encoded": True}).content == b"\x00\xff"


def test_the_length_is_the_gateways_to_say(http: httpx.Client) -> None:
    response = answer(http, {"statusCode": 200, "headers": {"Content-Length": "99999"}, "body": "abc"})
    assert (response.headers["content-length"], response.text) == ("3", "abc")


@pytest.mark.parametrize("result", [{"answer": 42}, [1, 2], "text", 7, None])
def test_a_result_without_a_status_code_is_itself_the_json_of_a_200(http: httpx.Client, result: object) -> None:
    response = answer(http, result)
    assert (response.status_code, response.json()) == (200, result)
    assert response.headers["content-type"] == "application/json"


@pytest.mark.parametrize(
    "result",
    [
        "crash",
        "bytes",
        {"statusCode": "many"},
        {"statusCode": True},
        {"statusCode": 99},
        {"statusCode": 200, "headers": ["a"]},
        {"statusCode": 200, "headers": {"a": ["b"]}},
        {"statusCode": 200, "headers": {"a": "b\r\nset-cookie: c"}},
        {"statusCode": 200, "headers": {"a": "漢"}},
        {"statusCode": 200, "cookies": "a=1"},
        {"statusCode": 200, "body": "!", "isBase64Encoded": True},
    ],
)
def test_a_failing_function_or_an_invalid_answer_is_a_plain_500(http: httpx.Client, result: object) -> None:
    response = answer(http, result)
    assert (response.status_code, response.json()) == (500, {"message": "Internal Server Error"})
