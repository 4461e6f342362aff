"""Remembers, recalls, corrects and forgets over MCP, by the Python SDK's client.

client.py MODE URL              by HTTP, with the token of ACERVO_MCP_TOKEN
client.py MODE COMMAND ARG...   by standard input and output
client.py MODE --config FILE    the same, by the settings of a client in FILE

MODE is how the client greets: legacy or auto. Ends with 0 if all was as it should
be, and prints the tools as JSON.
"""

import asyncio
import json
import os
import sys

from mcp import Client
from mcp.client.stdio import StdioServerParameters
from mcp.client.streamable_http import streamable_http_client
from mcp.shared._httpx_utils import create_mcp_http_client


def server(target):
    if len(target) == 1 and target[0].startswith("http"):
        http = create_mcp_http_client(headers={"Authorization": "Bearer " + os.environ["ACERVO_MCP_TOKEN"]})
        return streamable_http_client(target[0], http_client=http)
    if target[0] == "--config":
        with open(target[1]) as file:
            settings = json.load(file)["mcpServers"]["acervo"]
        return StdioServerParameters(command=settings["command"], args=settings["args"], env=settings["env"])
    return StdioServerParameters(command=target[0], args=target[1:], env=dict(os.environ))


async def main(mode, target):
    async with Client(server(target), mode=mode) as client:

        async def call(tool, fails=False, **arguments):
            # The client checks the structured result against the schema of the tool.
            result = await client.call_tool(tool, arguments)
            text = result.content[0].text
            assert bool(result.is_error) == fails, f"{tool}: {text}"
            return text, result.structured_content

        tools = (await client.list_tools()).tools
        text, made = await call(
            "remember",
            entities=[{"name": "Ada", "type": "person", "attributes": {"edad": 36, "n": 9007199254740993}}],
            relations=[{"from": "Ada", "type": "owns", "to": "Río Ñandú"}],
            facts=[{"entity": "Ada", "text": "Ada toca el piano"}],
        )
        assert made["entities"][0]["id"] == "ada" and made["implied"][0]["status"] == "incomplete", made
        text, turn = await call("turn", message="¿Qué sabes de Ada?")
        assert "Ada toca el piano" in text and turn["hot"][0] == "ada", text
        _, found = await call("search", text="quién toca pianos")
        # Integers are whole, also those that a float doesn't hold.
        assert found["hits"][0]["node"]["attributes"]["n"] == 9007199254740993, found
        text, _ = await call("node", name="RIO ñandu")
        assert "incomplete" in text and "Ada DUEÑO_DE Río Ñandú" in text, text
        text, _ = await call("pending")
        assert "Río Ñandú" in text, text
        text, _ = await call("correct_fact", entity="Ada", text="Ada toca el piano", correction="Ada toca el violín")
        text, _ = await call("context", message="Ada")
        assert "violín" in text and "piano" not in text, text
        text, _ = await call("forget", entity="Ada")
        assert "Nothing was removed yet" in text, text
        resource = await client.read_resource("acervo://node/R%C3%ADo%20%C3%91and%C3%BA")
        assert json.loads(resource.contents[0].text)["nodes"][0]["id"] == "rio_ñandu", resource
        text, _ = await call("forget", entity="Ada", confirm=True)
        text, _ = await call("node", name="Ada", fails=True)
        assert 'no entity "Ada"' in text, text
        text, _ = await call("turn", owner="other", message="hi", fails=True)
        assert "owner" in text, text
        prompt = await client.get_prompt("use_memory", {"language": "Spanish"})
        assert "Speak Spanish" in prompt.messages[0].content.text, prompt
        ontology = await client.read_resource("acervo://ontology")
        assert any(t["name"] == "Persona" for t in json.loads(ontology.contents[0].text)["types"]), ontology
        print(json.dumps([t.name for t in tools]))


asyncio.run(main(sys.argv[1], sys.argv[2:]))
