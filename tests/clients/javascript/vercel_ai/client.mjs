// The MCP client of Vercel's AI SDK, whose tools are executed as the SDK does.

import { createMCPClient } from '@ai-sdk/mcp';

export async function connect(url, headers) {
    const client = await createMCPClient({ transport: { type: 'http', url, headers } });
    const tools = await client.tools();
    return {
        listTools: async () => Object.keys(tools),
        callTool: async (name, args) => {
            const result = await tools[name].execute(args, { toolCallId: 'call-1', messages: [] });
            return [Boolean(result.isError), result.content[0].text];
        },
        close: () => client.close()
    };
}
