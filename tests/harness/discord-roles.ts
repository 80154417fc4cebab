import { afterAll, beforeAll, beforeEach, expect } from 'vitest';
import {
  discordRolesBotHttp,
  discordRolesHttp,
  type NewRoleRule,
  type RolePreview,
  type RoleRule,
} from '#contracts/discord/discord-roles.ts';
import { membersHttp } from '#contracts/people/members.ts';
import { eventually } from '#harness/eventually.ts';
import { tenth } from '#harness/tenth.ts';
import { createLog } from '#runtime/log.ts';
import { Secret } from '#runtime/secret.ts';
import { type Discord, startDiscord, usualBot } from '#simulators/discord/discord.ts';
import { noFaults, type RestRequest } from '#simulators/discord/faults.ts';
import type { People } from '#simulators/discord/people.ts';
import { bitsOf } from '#simulators/discord/permissions.ts';
import { makeClient } from '#simulators/discord/signed-in.ts';
import type { Member } from '#simulators/discord/state.ts';
import { ApiFault, createApiClient } from '../../bot/api-client.ts';
import { botFeatures } from '../../bot/bot-features.ts';
import { runGuildFeatures } from '../../bot/guild-features.ts';
import { apiForThisFile } from '../../server/kernel/testing/api-of-a-test.ts';
import { call } from '../../server/kernel/testing/call.ts';
import { testBotSecret, testDesktopCredential } from '../../server/kernel/testing/test-api.ts';

export const patientMs = 60_000;
const guildId = '222222222222222222';
export let running: ReturnType<typeof apiForThisFile>;
export const asOwner = { as: testDesktopCredential };

/** The simulated Discord, its people, and the test's control over the bot. */
export const stand = { hearsReports: true } as {
  discord: Discord;
  people: People;
  /** Whether the API receives the results of changes. */
  hearsReports: boolean;
};
let bot: AsyncDisposableStack | null = null;
let made = 0;
export const botPermissions = String(bitsOf('manageRoles', 'viewChannel', 'sendMessages'));

export const startBot = async () => {
  const own = new AsyncDisposableStack();
  bot = own;
  const client = makeClient(stand.discord);
  const api = createApiClient(`http://127.0.0.1:${running().port}`, new Secret(testBotSecret));
  own.defer(() => client.destroy());
  own.use(
    runGuildFeatures({
      client,
      guildId,
      features: botFeatures,
      interval: tenth,
      api: {
        call: async (endpoint, input, options) => {
          if (endpoint.path === discordRolesBotHttp.settle.path && !stand.hearsReports)
            throw new ApiFault('the report is lost');
          return api.call(endpoint, input, options);
        },
      },
      log: createLog({ component: 'bot', level: 'silent' }),
    }),
  );
  await client.login(usualBot.token);
};
export const stopBot = async () => {
  await bot?.disposeAsync();
  bot = null;
};

/** Opens it for the tests of the calling file. */
export const discordRolesForThisFile = (): void => {
  running = apiForThisFile();
  beforeAll(async () => {
    stand.discord = await startDiscord({
      settings: {
        identifyWindowMs: 0,
        sessionStarts: { total: 1000, remaining: 1000, maxConcurrency: 1 },
      },
    });
    stand.people = stand.discord.addGuild('The Keep', { id: guildId });
    await startBot();
  });
  afterAll(async () => {
    await stopBot();
    await stand.discord[Symbol.asyncDispose]();
  });
  beforeEach(async () => {
    Object.assign(stand.discord.faults, noFaults());
    stand.hearsReports = true;
    stand.people.roleNamed('Castellan Bot').permissions = botPermissions;
    // Unlinks the people of other tests.
    await db().deleteFrom('players').execute();
    for (const { id } of await rules())
      await call(running().port, discordRolesHttp.remove, { ...asOwner, params: { id } });
  });
};

export const db = () => running().api.context.database.db;
export const rules = async (): Promise<RoleRule[]> =>
  (await call(running().port, discordRolesHttp.list, asOwner)).json.rules as RoleRule[];
export const newRole = (more: Parameters<People['createRole']>[1] = {}) => {
  made += 1;
  return stand.people.createRole(`Role ${made}`, more);
};
export const known = (roleId: string) =>
  eventually(async () => {
    const { json } = await call(running().port, discordRolesHttp.list, asOwner);
    expect((json.roles as { id: string }[] | null)?.map(({ id }) => id)).toContain(roleId);
    const reports = await db().selectFrom('discord_guild_reports').select('listed_at').execute();
    expect(reports).toEqual([{ listed_at: expect.any(Date) }]);
  }, patientMs);
export const create = async (rule: NewRoleRule) => {
  await known(rule.roleId);
  return call(running().port, discordRolesHttp.create, { ...asOwner, body: rule });
};
export const preview = async (id: string): Promise<RolePreview> => {
  const { json, status, text } = await call(running().port, discordRolesHttp.preview, {
    ...asOwner,
    params: { id },
    body: {},
  });
  expect(status, text).toBe(200);
  return json as unknown as RolePreview;
};
export const enable = (id: string, { version, previewId }: Pick<RolePreview, 'version' | 'previewId'>) =>
  call(running().port, discordRolesHttp.enable, { ...asOwner, params: { id }, body: { version, previewId } });
export const switchedOn = async (rule: NewRoleRule): Promise<string> => {
  const { json, text, status } = await create(rule);
  expect(status, text).toBe(200);
  const id = String(json.id);
  const answer = await enable(id, await preview(id));
  expect(answer.status, answer.text).toBe(200);
  return id;
};

/** A new person on the Discord server whom the API knows there. */
export const joined = async (
  name: string,
  roles: readonly string[] = [],
): Promise<Member & { memberId: string }> => {
  const person = stand.people.join(name, { roles });
  const memberId = await eventually(async () => {
    const row = await db()
      .selectFrom('members')
      .select('id')
      .where('discord_id', '=', person.user.id)
      .executeTakeFirst();
    expect(row).toBeDefined();
    return row?.id ?? '';
  }, patientMs);
  return Object.assign(person, { memberId });
};
export const givePlayer = async (memberId: string) => {
  made += 1;
  const identity = `minecraft:roles${made}`;
  const { id } = await db()
    .insertInto('players')
    .values({
      identity,
      platform_id: identity,
      game: 'minecraft',
      name: `Player${made}`,
      name_key: `player${made}`,
      member_id: memberId,
    } as never)
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
};
export const unlink = (playerId: string) => db().deleteFrom('players').where('id', '=', playerId).execute();
export const points = (memberId: string, amount: number) =>
  call(running().port, membersHttp.grant, {
    ...asOwner,
    params: { id: memberId },
    body: { kind: 'grant', points: amount },
  });
export const has = (member: Member, role: { id: string }) =>
  eventually(
    () => expect(stand.people.guild.members.get(member.user.id)?.roles).toContain(role.id),
    patientMs,
  );
export const hasNot = (member: Member, role: { id: string }) =>
  eventually(
    () => expect(stand.people.guild.members.get(member.user.id)?.roles).not.toContain(role.id),
    patientMs,
  );
export const audits = async (member: Member) =>
  (
    await db()
      .selectFrom('audit_logs')
      .select(['action', 'after'])
      .where('target', '=', `discord-user:${member.user.id}`)
      .orderBy('id')
      .execute()
  ).map(({ action, after }) => `${action} ${(after as { because: string }).because}`);
export const owedTo = (member: Member) =>
  db()
    .selectFrom('discord_role_changes')
    .select(['change', 'because'])
    .where('discord_id', '=', member.user.id)
    .execute();
/** Resolves when nothing is left to do. */
export const settled = () =>
  eventually(async () => {
    expect(await db().selectFrom('discord_role_changes').selectAll().execute()).toEqual([]);
  }, patientMs);
export const isChange =
  (method: 'PUT' | 'DELETE', member: Member) =>
  (request: Pick<RestRequest, 'method' | 'path'>): boolean =>
    request.method === method && request.path.includes(`/members/${member.user.id}/roles/`);
export const changesOf = (member: Member) =>
  stand.discord.requests.filter(({ path }) => path.includes(`/members/${member.user.id}/roles/`));
