// Mastra: the tools of its MCP client, executed as an agent does. An error result is thrown as an error.

import { MCPClient } from '@mastra/mcp';

export async function connect(url, headers) {
    const id = `desk-${Math.random()}`;
    const client = new MCPClient({ id, servers: { desk: { url: new URL(url), requestInit: { headers } } } });
    const { desk } = await client.listToolsets();
    return {
        listTools: async () => Object.keys(desk),
        callTool: async (name, args) => {
            try {
                return [false, JSON.stringify(await desk[name].execute(args, {}))];
            } catch (error) {
                if (error.id !== 'MCP_CLIENT_TOOL_EXECUTION_FAILED') throw error;
                return [true, error.message];
            }
        },
        close: () => client.disconnect()
    };
}
