// The fixture served by the official TypeScript SDK: `server.mjs FIXTURE.json PORT [--token]`.
// Sessions for revisions with a handshake, one server per request for 2026-07-28.

import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { localhostHostValidation, localhostOriginValidation, toNodeHandler } from '@modelcontextprotocol/node';
import {
    createMcpHandler,
    getOAuthProtectedResourceMetadataUrl,
    isLegacyRequest,
    McpServer,
    oauthMetadataResponse,
    OAuthError,
    OAuthErrorCode,
    ProtocolError,
    requireBearerAuth,
    Server,
    WebStandardStreamableHTTPServerTransport
} from '@modelcontextprotocol/server';
import { AjvJsonSchemaValidator } from '@modelcontextprotocol/server/validators/ajv';

const fixture = JSON.parse(readFileSync(process.argv[2], 'utf8'));
const needsToken = process.argv.includes('--token');
const tools = new Map(fixture.tools.map((entry) => [entry.tool.name, entry]));
const ajv = new AjvJsonSchemaValidator();
const validators = new Map();
const HINT = { ttlMs: 60_000, cacheScope: 'public' };
const text = (value) => ({ type: 'text', text: value });
const FIRST = { audio: '2025-03-26', resource_link: '2025-06-18' };

function fail(code, message) {
    throw new ProtocolError(code, message);
}

function onePage(params) {
    if (params?.cursor !== undefined) fail(-32602, 'Unknown cursor');
}

function toolResult(name, args) {
    if (name === 'add') {
        const value = { sum: args.left + args.right };
        return { content: [text(JSON.stringify(value))], structuredContent: value };
    }
    if (name === 'repeat_text') return { content: [text(args.text)] };
    return tools.get(name).result;
}

function promptMessages(name, args) {
    const image = tools.get('test_image_content').result.content[0];
    let contents = [text('This prompt is always the same.')];
    if (name === 'test_prompt_with_arguments') contents = [text(`First: ${args.arg1}, second: ${args.arg2}.`)];
    if (name === 'test_prompt_with_embedded_resource') {
        const resource = { uri: args.resourceUri, mimeType: 'text/plain', text: 'Embedded.' };
        contents = [{ type: 'resource', resource }, text('Read the resource.')];
    }
    if (name === 'test_prompt_with_image') contents = [image, text('Look at the picture.')];
    return contents.map((content) => ({ role: 'user', content }));
}

function makeServer() {
    const cacheHints = Object.fromEntries(
        ['server/discover', 'tools/list', 'resources/list', 'resources/templates/list', 'resources/read', 'prompts/list'].map(
            (method) => [method, HINT]
        )
    );
    const capabilities = { tools: {}, resources: { subscribe: true }, prompts: {}, completions: {}, logging: {} };
    const server = new Server(
        { name: 'mutation', version: '1.0.0', title: 'Mutation' },
        { capabilities, cacheHints, instructions: 'Call the tools to see each kind of answer.' }
    );
    const version = () => server.getNegotiatedProtocolVersion() ?? '2026-07-28';
    server.setRequestHandler('tools/list', ({ params }) => {
        onePage(params);
        return { tools: fixture.tools.map((entry) => entry.tool) };
    });
    server.setRequestHandler('tools/call', async ({ params }, ctx) => {
        const entry = tools.get(params.name) ?? fail(-32602, `Unknown tool: ${params.name}`);
        const args = params.arguments ?? {};
        if (!validators.has(params.name)) validators.set(params.name, ajv.getValidator(entry.tool.inputSchema));
        const checked = validators.get(params.name)(args);
        if (!checked.valid) return { content: [text(checked.errorMessage)], isError: true };
        const progressToken = ctx.mcpReq._meta?.progressToken;
        for (const step of progressToken === undefined ? [] : (entry.progress ?? [])) {
            await ctx.mcpReq.notify({ method: 'notifications/progress', params: { progressToken, ...step } });
        }
        for (const log of entry.logs ?? []) await ctx.mcpReq.log(log.level, log.data, log.logger);
        const result = toolResult(params.name, args);
        const content = result.content.map((block) => (version() >= (FIRST[block.type] ?? '') ? block : text(`A ${block.type}.`)));
        return { ...result, content };
    });
    server.setRequestHandler('resources/list', ({ params }) => {
        const start = params?.cursor === undefined ? 0 : params.cursor === '2' ? 2 : fail(-32602, 'Unknown cursor');
        const page = { resources: fixture.resources.slice(start, start + 2) };
        return start === 0 ? { ...page, nextCursor: '2' } : page;
    });
    server.setRequestHandler('resources/templates/list', ({ params }) => {
        onePage(params);
        return { resourceTemplates: fixture.templates };
    });
    server.setRequestHandler('resources/read', ({ params: { uri } }) => {
        if (uri in fixture.contents) return { contents: [fixture.contents[uri]] };
        if (/^test:\/\/template\/\w+\/data$/.test(uri)) {
            return { contents: [{ uri, mimeType: 'application/json', text: '{}' }] };
        }
        return fail(version() === '2026-07-28' ? -32602 : -32002, 'Resource not found');
    });
    server.setRequestHandler('resources/subscribe', () => ({}));
    server.setRequestHandler('resources/unsubscribe', () => ({}));
    server.setRequestHandler('prompts/list', ({ params }) => {
        onePage(params);
        return { prompts: fixture.prompts };
    });
    server.setRequestHandler('prompts/get', ({ params }) => {
        const prompt = fixture.prompts.find(({ name }) => name === params.name) ?? fail(-32602, 'Unknown prompt');
        const args = params.arguments ?? {};
        for (const { name } of prompt.arguments ?? []) if (!(name in args)) fail(-32602, `\`${name}\` is missing`);
        return { messages: promptMessages(params.name, args) };
    });
    server.setRequestHandler('completion/complete', ({ params: { ref, argument } }) => {
        const known = [...fixture.prompts.map(({ name }) => name), ...fixture.templates.map((entry) => entry.uriTemplate)];
        if (!known.includes(ref.name ?? ref.uri)) fail(-32602, 'Unknown reference');
        const values = fixture.words.filter((word) => word.startsWith(argument.value));
        return { completion: { values, total: values.length, hasMore: false } };
    });
    return server;
}

const sessions = new Map();
const events = [];
const eventStore = {
    async storeEvent(streamId, message) {
        events.push({ streamId, message });
        return String(events.length);
    },
    async replayEventsAfter(lastEventId, { send }) {
        const position = Number(lastEventId);
        const { streamId } = events[position - 1] ?? {};
        for (const [index, event] of events.entries()) {
            if (index >= position && event.streamId === streamId) await send(String(index + 1), event.message);
        }
        return streamId;
    }
};

async function serveSession(request) {
    const id = request.headers.get('mcp-session-id');
    if (id !== null && sessions.has(id)) return sessions.get(id).handleRequest(request);
    if (id !== null) return new Response(null, { status: 404 });
    const transport = new WebStandardStreamableHTTPServerTransport({
        sessionIdGenerator: () => randomUUID(),
        onsessioninitialized: (session) => void sessions.set(session, transport),
        onsessionclosed: (session) => void sessions.delete(session),
        // The adapter sends the head of a stream with the first bytes of the body; a comment after 50 ms is the first of a GET.
        keepAliveMs: 50,
        eventStore
    });
    await makeServer().connect(transport);
    return transport.handleRequest(request);
}

// The handler compares headers with arguments only for an McpServer, whose schemas have to be Standard Schemas.
class ServerWithSchemas extends McpServer {
    server = makeServer();

    toolInputSchemaJson(name) {
        return tools.get(name)?.tool.inputSchema;
    }
}

const modern = createMcpHandler(() => new ServerWithSchemas({ name: 'mutation', version: '1.0.0' }), { legacy: 'reject' });
let authorization = { gate: async () => ({}), metadata: () => undefined };

async function fetch(request) {
    const metadata = authorization.metadata(request);
    if (metadata !== undefined) return metadata;
    if (new URL(request.url).pathname !== '/mcp') return new Response(null, { status: 404 });
    const info = await authorization.gate(request);
    if (info instanceof Response) return info;
    const version = request.headers.get('mcp-protocol-version');
    if (request.method !== 'POST' && version === '2026-07-28') return modern.fetch(request);
    return (await isLegacyRequest(request)) ? serveSession(request) : modern.fetch(request);
}

const hostIsLocal = localhostHostValidation();
const originIsLocal = localhostOriginValidation();
const handler = toNodeHandler({ fetch });
const listener = createServer(async (request, response) => {
    if (!hostIsLocal(request, response) || !originIsLocal(request, response)) return;
    await handler(request, response);
});
listener.listen(Number(process.argv[3]), '127.0.0.1', () => {
    const address = `http://127.0.0.1:${listener.address().port}`;
    if (needsToken) {
        const resourceServerUrl = new URL(`${address}/mcp`);
        const verifyAccessToken = async (token) => {
            if (token !== fixture.token) throw new OAuthError(OAuthErrorCode.InvalidToken, 'Unknown token');
            return { token, clientId: 'client', scopes: ['mcp'], expiresAt: Date.now() / 1000 + 3600 };
        };
        const resourceMetadataUrl = getOAuthProtectedResourceMetadataUrl(resourceServerUrl);
        const oauthMetadata = { issuer: `${address}/authorization`, authorization_endpoint: address, token_endpoint: address };
        oauthMetadata.response_types_supported = ['code'];
        authorization = {
            gate: requireBearerAuth({ verifier: { verifyAccessToken }, requiredScopes: ['mcp'], resourceMetadataUrl }),
            metadata: (request) => oauthMetadataResponse(request, { oauthMetadata, resourceServerUrl, scopesSupported: ['mcp'] })
        };
    }
    console.log(`${address}/mcp`);
});
process.on('uncaughtException', () => {});
process.on('unhandledRejection', () => {});
process.on('SIGTERM', () => process.exit(0));
