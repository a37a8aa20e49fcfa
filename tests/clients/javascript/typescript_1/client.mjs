// The official TypeScript SDK, version 1.

import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';

export async function connect(url, headers) {
    const client = new Client({ name: 'client', version: '1.0.0' });
    await client.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } }));
    return {
        listTools: async () => (await client.listTools()).tools.map((tool) => tool.name),
        callTool: async (name, args) => {
            const result = await client.callTool({ name, arguments: args });
            return [Boolean(result.isError), result.content[0].text];
        },
        close: () => client.close()
    };
}
