// The official TypeScript SDK, version 2.

import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';

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
