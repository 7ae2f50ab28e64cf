"""The failure scenarios with the installed package, as `../../failures/run.mjs` describes."""

import base64
import json
import os
import traceback

from presenza import Presenza, PresenzaError
from presenza.operations import Operations


def say(**line):
    print(json.dumps(line), flush=True)


def outcome_of(scenario):
    options = {"timeout": scenario["timeoutMs"] / 1000} if scenario["timeoutMs"] else {}
    try:
        client = Presenza(scenario["apiKey"], scenario["baseUrl"], retries=scenario["retries"], **options)
        image = base64.b64decode(scenario["image"])
        client.detect(image, idempotency_key=scenario["idempotencyKey"] or None)
    except PresenzaError as error:
        return {
            "code": error.code,
            "reason": error.reason,
            "status": error.status,
            "requestId": error.request_id,
            "retryAfter": error.retry_after,
            "text": traceback.format_exc(),
        }
    except Exception:
        return {"code": "OTHER", "text": traceback.format_exc()}
    return {}


say(methods=[name for name in vars(Operations) if not name.startswith("_")])
with open(os.environ["SCENARIOS"]) as file:
    scenarios = json.load(file)
for scenario in scenarios:
    say(begin=scenario["name"])
    say(name=scenario["name"], **outcome_of(scenario))
