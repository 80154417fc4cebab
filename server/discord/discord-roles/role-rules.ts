import { createId } from '@paralleldrive/cuid2';
import { type Kysely, sql } from 'kysely';
import {
  mostPreviewNames,
  type NewRoleRule,
  type RolePreview,
  type RoleRule,
} from '#contracts/discord/discord-roles.ts';
import { reasons } from '#contracts/kernel/reasons.ts';
import { games } from '#contracts/servers/games.ts';
import { may } from '../../kernel/access/actor.ts';
import type { AuditContext } from '../../kernel/access/audit-context.ts';
import { recordAudit } from '../../kernel/audit/record-audit.ts';
import type { Tables } from '../../kernel/database/tables.ts';
import { describeUnlessRefused, type Refusal, refuse } from '../../kernel/http/refusal.ts';
import { type KeptPreview, keepPreviews } from './kept-previews.ts';
import { type KnownRoles, passingObstacles, type RolesNow } from './known-roles.ts';
import { previewRule } from './preview-rule.ts';
import { readProgress } from './rule-progress.ts';
import { decidesRole, type RuleRow } from './wanted-roles.ts';
import { moveEntries } from './whitelist.ts';

export interface RoleRules {
  list(): Promise<RoleRule[]>;
  create(rule: NewRoleRule, by: AuditContext): Promise<RoleRule | Refusal>;
  preview(id: string, by: AuditContext): Promise<RolePreview | Refusal>;
  enable(
    id: string,
    seen: { readonly version: number; readonly previewId: string },
    by: AuditContext,
  ): Promise<RoleRule | Refusal>;
  disable(id: string, by: AuditContext): Promise<RoleRule | Refusal>;
  remove(id: string, by: AuditContext): Promise<Refusal | null>;
}

type Trx = Kysely<Tables>;

const fieldsOf = (row: RuleRow) => ({
  name: row.role_name,
  roleId: row.role_id,
  kind: row.kind,
  amount: row.amount === null ? null : Number(row.amount),
  serverIds: row.server_ids,
  isEnabled: row.is_enabled,
});
const targetOf = ({ id }: RuleRow): string => `discord-role-rule:${id}`;

export const createRoleRules = ({
  db,
  roles,
  onChange,
  leftOf,
}: {
  readonly db: Kysely<Tables>;
  readonly roles: KnownRoles;
  /** Rules have changed. */
  readonly onChange: () => void;
  /** Changes of a role that are still to be written; null: not compared yet. */
  readonly leftOf: (roleId: string) => number | null;
}): RoleRules => {
  const previews = keepPreviews();

  const transact = <Result>(work: (trx: Trx) => Promise<Result>): Promise<Result> =>
    db
      .transaction()
      .execute(async (trx) => {
        await sql`lock table discord_role_rules in share row exclusive mode`.execute(trx);
        return work(trx);
      })
      .finally(onChange);
  const find = (trx: Trx, id: string) =>
    trx.selectFrom('discord_role_rules').selectAll().where('id', '=', id).executeTakeFirst();

  const describe = async (rows: readonly RuleRow[]): Promise<RoleRule[]> => {
    const now = await roles.read(db);
    const progress = await readProgress(db, leftOf);
    return rows.map((row) => ({
      id: row.id,
      version: row.version,
      isEnabled: row.is_enabled,
      roleId: row.role_id,
      roleName: now.nameOf(row.role_id) ?? row.role_name,
      kind: row.kind,
      amount: row.amount === null ? null : Number(row.amount),
      serverIds: row.server_ids,
      obstacle: obstacleOf(row, now),
      ...progress(row),
    }));
  };
  const describeOne = (outcome: RuleRow | Refusal): Promise<RoleRule | Refusal> =>
    describeUnlessRefused(outcome, describe);

  const setEnabled = async (trx: Trx, before: RuleRow, isEnabled: boolean, by: AuditContext) => {
    const after = await trx
      .updateTable('discord_role_rules')
      .set({ is_enabled: isEnabled, version: before.version + 1 })
      .where('id', '=', before.id)
      .returningAll()
      .executeTakeFirstOrThrow();
    await recordAudit(trx, {
      ...by,
      action: isEnabled ? 'discord.enable-role-rule' : 'discord.disable-role-rule',
      target: targetOf(after),
      before: fieldsOf(before),
      after: fieldsOf(after),
    });
    return after;
  };

  /**
   * Together with all rules that decide about its role: under the others alone, some would lose it whom no preview
   * named.
   * @returns the switched-off rule itself
   */
  const switchOff = async (trx: Trx, row: RuleRow, by: AuditContext): Promise<RuleRow> => {
    if (!row.is_enabled) return row;
    const others = await trx
      .selectFrom('discord_role_rules')
      .selectAll()
      .where('role_id', '=', row.role_id)
      .where('id', '<>', row.id)
      .where('is_enabled', '=', true)
      .orderBy('id')
      .execute();
    if (decidesRole(row))
      for (const other of others) if (decidesRole(other)) await setEnabled(trx, other, false, by);
    return setEnabled(trx, row, false, by);
  };

  /** The maker of a rule must be allowed to open what it opens. */
  const refuseBeyond = (
    { actor }: AuditContext,
    row: Pick<RuleRow, 'kind' | 'server_ids'>,
  ): Refusal | null => {
    if (!may(actor, 'members.read')) return refuse('FORBIDDEN', 'Rules for roles need members.read.');
    const closed = row.server_ids.some((id) => !may(actor, 'players.write', id));
    return closed ? refuse('FORBIDDEN', 'A whitelist needs players.write for its servers.') : null;
  };

  return {
    async list() {
      return describe(
        await db.selectFrom('discord_role_rules').selectAll().orderBy('created_at').orderBy('id').execute(),
      );
    },

    async create(rule, by) {
      const columns = {
        kind: rule.kind,
        role_id: rule.roleId,
        role_name: rule.roleName,
        amount: 'amount' in rule ? rule.amount : null,
        server_ids: 'serverIds' in rule ? [...new Set(rule.serverIds)] : [],
      };
      const beyond = refuseBeyond(by, columns);
      if (beyond) return beyond;
      const obstacle = obstacleOf(columns, await roles.read(db));
      if (obstacle !== null && !passingObstacles.has(obstacle))
        return refuse('DISCORD_ROLE_UNFIT', reasons[obstacle]);
      const made = await transact(async (trx): Promise<RuleRow | Refusal> => {
        const known = await trx
          .selectFrom('game_servers')
          .select(['id', 'game'])
          .where('id', 'in', columns.server_ids.length > 0 ? columns.server_ids : [''])
          .where('archived_at', 'is', null)
          .execute();
        if (known.length < columns.server_ids.length)
          return refuse('INVALID_REQUEST', 'One of the servers is not in use.');
        if (!known.every(({ game }) => games[game].hasWhitelist))
          return refuse('INVALID_REQUEST', 'The game of one of the servers has no whitelist.');
        const row = await trx
          .insertInto('discord_role_rules')
          .values({ id: createId(), ...columns })
          .returningAll()
          .executeTakeFirstOrThrow();
        await recordAudit(trx, {
          ...by,
          action: 'discord.create-role-rule',
          target: targetOf(row),
          after: fieldsOf(row),
        });
        return row;
      });
      return describeOne(made);
    },

    async preview(id, by) {
      const row = await find(db, id);
      if (!row) return refuse('NOT_FOUND');
      const beyond = refuseBeyond(by, row);
      if (beyond) return beyond;
      const now = await roles.read(db);
      const found = await previewRule(db, row, now);
      const side = (all: ReadonlyMap<string, string>) => ({
        count: all.size,
        names: [...all.values()].slice(0, mostPreviewNames),
      });
      return {
        previewId: previews.keep(row, found),
        version: row.version,
        obstacle: obstacleOf(row, now),
        gains: side(found.gains),
        losses: side(found.losses),
      };
    },

    async enable(id, { version, previewId }, by) {
      const now = await roles.read(db);
      const outcome = await transact(async (trx): Promise<RuleRow | Refusal> => {
        const row = await find(trx, id);
        if (!row) return refuse('NOT_FOUND');
        const beyond = refuseBeyond(by, row);
        if (beyond) return beyond;
        if (row.version !== version) return refuse('CONFLICT', 'The rule was changed in the meantime.');
        const obstacle = obstacleOf(row, now);
        if (obstacle !== null) return refuse('DISCORD_ROLE_UNFIT', reasons[obstacle]);
        const seen: KeptPreview | null = previews.find(previewId, row);
        if (!seen?.covers(await previewRule(trx, row, now)))
          return refuse('CONFLICT', 'More would happen now than the preview showed. Look at it again.');
        return setEnabled(trx, row, true, by);
      });
      return describeOne(outcome);
    },

    async disable(id, by) {
      const outcome = await transact(async (trx): Promise<RuleRow | Refusal> => {
        const row = await find(trx, id);
        if (!row) return refuse('NOT_FOUND');
        return switchOff(trx, row, by);
      });
      return describeOne(outcome);
    },

    remove: (id, by) =>
      transact(async (trx) => {
        const row = await find(trx, id);
        if (!row) return refuse('NOT_FOUND');
        await switchOff(trx, row, by);
        if (!decidesRole(row)) await moveEntries(trx);
        await trx.deleteFrom('discord_role_rules').where('id', '=', id).execute();
        await recordAudit(trx, {
          ...by,
          action: 'discord.remove-role-rule',
          target: targetOf(row),
          before: fieldsOf(row),
        });
        return null;
      }),
  };
};

const obstacleOf = (row: Pick<RuleRow, 'kind' | 'role_id'>, now: RolesNow): RoleRule['obstacle'] =>
  decidesRole(row) ? now.obstacleOf(row.role_id) : now.followObstacleOf(row.role_id);
