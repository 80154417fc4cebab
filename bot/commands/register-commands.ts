import { setTimeout as delay } from 'node:timers/promises';
import { type RESTPostAPIChatInputApplicationCommandsJSONBody, Routes } from 'discord.js';
import { backOffDelay } from '#runtime/back-off.ts';
import type { BotContext } from '../guild-features.ts';

type Definition = RESTPostAPIChatInputApplicationCommandsJSONBody;

/** A command as registered or as wanted, without what Discord adds itself or leaves out as a default. */
const comparable = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(comparable);
  if (typeof value !== 'object' || value === null) return value;
  const fields = Object.entries(value)
    .filter(([name]) => !ofDiscord.has(name))
    .map(([name, field]) => [name, comparable(field)] as const)
    .filter(([, field]) => field !== null && field !== false && !isEmpty(field))
    .toSorted(([one], [other]) => (one < other ? -1 : 1));
  return Object.fromEntries(fields);
};
const isEmpty = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && Object.keys(value).length === 0;
const ofDiscord: ReadonlySet<string> = new Set([
  ...[
    'id',
    'application_id',
    'guild_id',
    'version',
    'dm_permission',
    'contexts',
    'integration_types',
    'nsfw',
  ],
  ...['name_localized', 'description_localized', 'handler'],
]);

const isSame = (wanted: readonly Definition[], registered: readonly { readonly name: string }[]): boolean => {
  const byName = (commands: readonly { readonly name: string }[]) =>
    JSON.stringify(commands.toSorted((one, other) => (one.name < other.name ? -1 : 1)).map(comparable));
  return byName(wanted.map((one) => ({ type: 1, ...one }))) === byName(registered);
};

const retry = { firstMs: 5000, mostMs: 600_000 };

/** Registers this server's commands with Discord if they have changed, retrying until Discord accepts them. */
export const registerCommands = async (
  { client, guildId, log, signal }: Pick<BotContext, 'client' | 'guildId' | 'log' | 'signal'>,
  wanted: readonly Definition[],
): Promise<void> => {
  const route = Routes.applicationGuildCommands(client.application.id, guildId);
  for (let failures = 1; !signal.aborted; failures += 1) {
    try {
      // Otherwise the translations are left out, and every start would register again.
      const query = new URLSearchParams({ with_localizations: 'true' });
      const registered = (await client.rest.get(route, { query, signal })) as { readonly name: string }[];
      if (isSame(wanted, registered)) return;
      await client.rest.put(route, { body: wanted, signal });
      log.info({ commands: wanted.length }, 'registered the commands with Discord');
      return;
    } catch (error) {
      if (signal.aborted) return;
      log.warn({ err: error }, 'could not register the commands with Discord; will retry');
      await delay(backOffDelay(retry, failures), undefined, { signal }).catch(() => undefined);
    }
  }
};
