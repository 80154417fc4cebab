import * as z from 'zod';
import { changeProblems, endpoint } from '../kernel/http.ts';
import { rowVersion } from '../kernel/row-version.ts';
import { recordId } from './clusters.ts';

const longestChatForm = 120;
const mostChatForms = 20;

/**
 * How a server writes chat into its log, from the start of what the game says: `[Member] {name}: {text}`. `{any}` is what changes inside
 * brackets, such as ranks.
 */
const chatForm = z.string().trim().min(1).max(longestChatForm);
const chatForms = z.array(chatForm).max(mostChatForms);

/** Lines that name a player who is online and match no form, since the agent has read with these forms. */
const unreadLines = z.object({
  count: z.int().nonnegative(),
  /** The last one; null when there was none. */
  example: z.string().max(400).nullable(),
});
export type UnreadLines = z.infer<typeof unreadLines>;

const serverChat = z
  .object({
    serverId: z.string(),
    /** The game's log can be read by forms. */
    takesForms: z.boolean(),
    forms: z.array(z.string()),
    /** Incremented by every change; 0: never changed. */
    version: z.int().nonnegative(),
    /** The last line of chat that was heard there; null: none ever was. */
    heardAt: z.iso.datetime().nullable(),
    /** Whether the server's Game Agent reads with these forms; null: it has not said so. */
    isRead: z.boolean().nullable(),
    /** Null without the right to read the console, and while nothing is known. */
    unread: unreadLines.nullable(),
  })
  .meta({ id: 'ServerChat' });
export type ServerChat = z.infer<typeof serverChat>;

const chatTrial = z.object({
  /** The last lines that name a player, the newest first; `name` is null for those that no form reads. */
  lines: z.array(z.object({ line: z.string(), name: z.string().nullable(), text: z.string().nullable() })),
  /** Forms that would read lines which are not read now, the most frequent first. */
  proposals: z.array(z.object({ form: z.string(), count: z.int(), example: z.string() })),
});
export type ChatTrial = z.infer<typeof chatTrial>;

const oneServer = z.object({ id: recordId });

export const chatFormsHttp = {
  list: endpoint({
    method: 'GET',
    path: '/api/chat-forms',
    summary: 'List for each game server how its chat is read, and when some was heard last',
    access: 'servers.read',
    response: z.object({ rows: z.array(serverChat) }),
  }),
  trial: endpoint({
    method: 'POST',
    path: '/api/servers/:id/chat-forms/trial',
    summary: 'Try forms of chat on the last lines of a game server, and propose others; changes nothing',
    access: 'console.read',
    params: oneServer,
    body: z.strictObject({ forms: chatForms }),
    response: chatTrial,
    problems: [...changeProblems, 'NOT_FOUND', 'CONSOLE_HISTORY_AWAY', 'SHUTTING_DOWN', 'INVALID_REQUEST'],
  }),
  set: endpoint({
    method: 'PUT',
    path: '/api/servers/:id/chat-forms',
    summary: 'Choose the forms in which the chat of a game server is read from its log',
    access: 'servers.write',
    params: oneServer,
    body: z.strictObject({ version: rowVersion, forms: chatForms }),
    response: serverChat,
    problems: [...changeProblems, 'NOT_FOUND', 'INVALID_REQUEST', 'CONFLICT'],
  }),
} as const;
