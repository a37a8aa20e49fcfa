// The official TypeScript SDK 2.x with its Node adapter: `typescript.mjs PORT`.

import { createServer } from 'node:http';
import { localhostHostValidation, localhostOriginValidation, toNodeHandler } from '@modelcontextprotocol/node';
import { createMcpHandler, McpServer } from '@modelcontextprotocol/server';
import { z } from 'zod';

function peer() {
    const server = new McpServer({ name: 'peer', version: '1.0.0' });
    server.registerTool(
        'add',
        {
            description: 'Adds two whole numbers.',
            inputSchema: z.object({ a: z.number().int(), b: z.number().int() })
        },
        async ({ a, b }) => ({ content: [{ type: 'text', text: String(a + b) }] })
    );
    return server;
}

const mcp = toNodeHandler(createMcpHandler(peer));
const hostIsLocal = localhostHostValidation();
const originIsLocal = localhostOriginValidation();

createServer(async (request, response) => {
    if (!hostIsLocal(request, response) || !originIsLocal(request, response)) return;
    if (new URL(request.url, 'http://localhost').pathname !== '/mcp') {
        response.writeHead(404).end();
        return;
    }
    await mcp(request, response);
}).listen(Number(process.argv[2]), '127.0.0.1');
