import { readFile } from 'node:fs/promises';
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { resolve } from 'node:path';
import type { OptionValue } from '../command-data.ts';
import type { Discord } from '../discord.ts';
import type { Answer, Interaction } from '../interactions.ts';
import type { People } from '../people.ts';
import { permissionsOf } from '../permissions.ts';
import type { Channel, Member, StoredMessage } from '../state.ts';

const files: Readonly<Record<string, readonly [file: string, type: string]>> = {
  '/': ['page.html', 'text/html; charset=utf-8'],
  '/page.js': ['page.js', 'text/javascript; charset=utf-8'],
  '/markup.js': ['markup.js', 'text/javascript; charset=utf-8'],
  '/page.css': ['page.css', 'text/css; charset=utf-8'],
};
const policy =
  "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' http: https:";

const mostMessages = 200;

/** An action of a person at the page; a command's options are as typed. */
type Act = { readonly member: string; readonly channel: string; readonly locale: string } & (
  | { readonly kind: 'message'; readonly content: string }
  | { readonly kind: 'command'; readonly name: string; readonly options: Record<string, OptionValue> }
  | {
      readonly kind: 'autocomplete';
      readonly name: string;
      readonly options: Record<string, OptionValue>;
      readonly focused: string;
    }
  | {
      readonly kind: 'component';
      readonly message: string;
      readonly customId: string;
      readonly values?: string[];
    }
  | { readonly kind: 'modal'; readonly interaction: string; readonly values: Record<string, string> }
  /** Discord's own trouble with the guild begins or ends. */
  | { readonly kind: 'outage'; readonly isOver: boolean }
);

/** A web page of a guild as its people see it, for a browser on this machine. */
export const createPage = (
  {
    state,
    changes,
    cdnUrl,
    setGuildAvailable,
  }: Pick<Discord, 'state' | 'changes' | 'cdnUrl' | 'setGuildAvailable'>,
  { guild, ...people }: People,
): RequestListener => {
  const find = <T>(found: T | undefined, what: string): T => {
    if (found === undefined) throw new Error(`There is no such ${what}.`);
    return found;
  };
  const memberOf = (id: string): Member => find(guild.members.get(id), 'member');
  const channelOf = (id: string): Channel => find(guild.channels.get(id), 'channel');

  const look = (channelId: string, memberId: string) => {
    const members = [...guild.members.values()];
    const viewer = guild.members.get(memberId) ?? members.find(({ user }) => !user.bot);
    const channels = [...guild.channels.values()].filter(({ type }) => type !== 4);
    const channel = guild.channels.get(channelId) ?? channels[0];
    const bits = viewer ? permissionsOf(guild, viewer.user.id, channel) : 0n;
    const commands = (state.commands.get(guild.id) ?? []).filter(
      ({ default_member_permissions: needed }) => (bits & BigInt(needed ?? 0)) === BigInt(needed ?? 0),
    );
    return {
      guild: { id: guild.id, name: guild.name },
      cdnUrl,
      channel: channel?.id ?? null,
      member: viewer?.user.id ?? null,
      channels: channels.map(({ id, name, topic }) => ({ id, name, topic })),
      members: members.map(({ user, nick, roles }) => ({ user, nick, roles })),
      roles: [...guild.roles.values()].map(({ id, name, color }) => ({ id, name, color })),
      commands,
      messages: channel ? people.messagesIn(channel, viewer).slice(-mostMessages).map(shown) : [],
    };
  };

  const shown = ({ message, visibleTo, pinged }: StoredMessage) => ({
    ...message,
    isEphemeral: visibleTo !== null,
    pinged,
  });

  const told = async (interaction: Interaction) => {
    const answer: Answer = await interaction.answer;
    const modal = answer.kind === 'modal' ? answer.modal : null;
    return { kind: answer.kind, modal, interaction: interaction.id };
  };

  const act = async (what: Act): Promise<object> => {
    const { locale } = what;
    const member = memberOf(what.member);
    const channel = channelOf(what.channel);
    if (what.kind === 'outage') {
      setGuildAvailable(guild, what.isOver);
      return {};
    }
    if (what.kind === 'message') {
      people.sendMessage(channel, member, what.content);
      return {};
    }
    if (what.kind === 'command')
      return told(people.runCommand(member, channel, what.name, what.options, { locale }));
    if (what.kind === 'autocomplete') {
      const { name, options, focused } = what;
      return { choices: await people.autocomplete(member, channel, name, options, focused, { locale }) };
    }
    if (what.kind === 'component') {
      const stored = find(channel.messages.get(what.message), 'message');
      if (!what.values) return told(people.pressButton(member, stored, what.customId, { locale }));
      return told(people.selectOptions(member, stored, what.customId, what.values, { locale }));
    }
    const shownBy = find(state.interactions.get(what.interaction), 'interaction');
    return told(await people.submitModal(shownBy, what.values, { locale }));
  };

  /** Notifies the page of changes, so that it reloads its content. */
  const follow = (request: IncomingMessage, response: ServerResponse) => {
    response.writeHead(200, { 'Content-Type': 'text/event-stream', 'Cache-Control': 'no-store' });
    response.write('data: change\n\n');
    const tell = () => response.write('data: change\n\n');
    changes.on('change', tell);
    request.on('close', () => changes.off('change', tell));
  };

  const json = (response: ServerResponse, status: number, body: object) => {
    response.writeHead(status, { 'Content-Type': 'application/json', 'Cache-Control': 'no-store' });
    response.end(JSON.stringify(body));
  };

  const serve = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { pathname, searchParams } = new URL(request.url ?? '/', cdnUrl);
    const file = request.method === 'GET' ? files[pathname] : undefined;
    if (file) {
      const headers = { 'Content-Type': file[1], 'Content-Security-Policy': policy };
      response.writeHead(200, headers).end(await readFile(resolve(import.meta.dirname, file[0])));
    } else if (pathname === '/look') {
      json(response, 200, look(searchParams.get('channel') ?? '', searchParams.get('member') ?? ''));
    } else if (pathname === '/changes') {
      follow(request, response);
    } else if (pathname === '/act' && request.method === 'POST' && isOwnForm(request)) {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk as Buffer);
      await act(JSON.parse(Buffer.concat(chunks).toString()) as Act).then(
        (result) => json(response, 200, result),
        (error: Error) => json(response, 400, { message: error.message }),
      );
    } else {
      json(response, 404, { message: 'There is nothing here.' });
    }
  };
  return (request, response) => void serve(request, response);
};

/** Another site cannot send JSON without a preflight request, which is never allowed. */
const isOwnForm = ({ headers }: IncomingMessage): boolean =>
  headers['content-type']?.startsWith('application/json') ?? false;
