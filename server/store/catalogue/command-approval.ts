import type { Kysely } from 'kysely';
import { reasons } from '#contracts/kernel/reasons.ts';
import type { GameId } from '#contracts/servers/games.ts';
import type { Product, ProductLine } from '#contracts/store/store.ts';
import { effectivePermissionsOfAdmin, enabledAdmins } from '../../identity/admins-with-grants.ts';
import { type Actor, actorReference, adminIdIn, may } from '../../kernel/access/actor.ts';
import { refuseWithoutStepUp } from '../../kernel/access/step-up.ts';
import type { Tables } from '../../kernel/database/tables.ts';
import { type Refusal, refuse } from '../../kernel/http/refusal.ts';

/** Who answers for the commands of a product: they run on its servers with all rights of the console. */
export interface Approval {
  /** As the audit log names them; `update`: the product is older than approvals. */
  readonly by: string;
  readonly name: string | null;
  readonly at: Date;
}

export type ApprovalState = NonNullable<Product['approval']>['state'];

/** What of a product is approved. */
interface Approvable {
  readonly game: GameId;
  /** Both empty: every server of the game. */
  readonly clusterIds: readonly string[];
  readonly serverIds: readonly string[];
  readonly lines: readonly ProductLine[];
}

type Server = Readonly<Record<'id' | 'clusterId' | 'game', string>>;

const commandsOf = ({ lines }: Pick<Approvable, 'lines'>): readonly string[] =>
  lines.flatMap((line) =>
    line.kind === 'command' ? [JSON.stringify([line.command, line.counterCommand ?? null])] : [],
  );

const needsApproval = (product: Pick<Approvable, 'lines'>): boolean => commandsOf(product).length > 0;

/** Whether an approval of one covers the other: no other commands, on no other servers. */
const isCovered = (before: Approvable, after: Approvable): boolean => {
  const [known, wanted] = [commandsOf(before), commandsOf(after)];
  const isEverywhere = ({ clusterIds, serverIds }: Approvable) => clusterIds.length + serverIds.length === 0;
  const isWithin =
    isEverywhere(before) ||
    (!isEverywhere(after) &&
      after.clusterIds.every((id) => before.clusterIds.includes(id)) &&
      after.serverIds.every((id) => before.serverIds.includes(id)));
  return before.game === after.game && isWithin && wanted.every((command) => known.includes(command));
};

/** May give commands on every server that it is delivered on; without any server, on all. */
const mayApprove = (
  actor: Pick<Actor, 'permissions' | 'serverPermissions'>,
  { game, clusterIds, serverIds }: Approvable,
  servers: readonly Server[],
): boolean => {
  const isEverywhere = clusterIds.length + serverIds.length === 0;
  const its = servers.filter(
    (server) =>
      server.game === game &&
      (isEverywhere || serverIds.includes(server.id) || clusterIds.includes(server.clusterId)),
  );
  return its.length === 0
    ? may(actor, 'console.write')
    : its.every(({ id }) => may(actor, 'console.write', id));
};

const readServers = (db: Kysely<Tables>): Promise<Server[]> =>
  db
    .selectFrom('game_servers')
    .select(['id', 'cluster_id as clusterId', 'game'])
    .where('archived_at', 'is', null)
    .execute();

type Approved = Approvable & { readonly approval: Approval | null };

interface NewVersion {
  /** The version before it. */
  readonly before?: Approved | undefined;
  readonly after: Approvable;
}

/**
 * Who answers for the commands of new versions, in their order: a previous approval that covers them, or the actor.
 * @returns null for those without commands
 */
export const approve = async (
  db: Kysely<Tables>,
  actor: Actor,
  versions: readonly NewVersion[],
  at: Date,
): Promise<readonly (Approval | Refusal | null)[]> => {
  const isNew = ({ before, after }: NewVersion) =>
    needsApproval(after) && !(before && needsApproval(before) && isCovered(before, after));
  const servers = versions.some(isNew) ? await readServers(db) : [];
  return versions.map((version) => {
    const { before, after } = version;
    if (!isNew(version)) return needsApproval(after) ? (before?.approval ?? null) : null;
    if (!mayApprove(actor, after, servers)) return refuse('FORBIDDEN', reasons['command-right']);
    return refuseWithoutStepUp(actor) ?? { by: actorReference(actor), name: actor.name, at };
  });
};

/** As `approve`, for one. */
export const approveOne = async (
  db: Kysely<Tables>,
  actor: Actor,
  version: NewVersion,
  at: Date,
): Promise<Approval | Refusal | null> => (await approve(db, actor, [version], at))[0] ?? null;

/** Whether those who approved these products still may. Products without commands need no one. */
export const readApprovalStates = async (
  db: Kysely<Tables>,
  products: readonly Approved[],
): Promise<(product: Approved) => ApprovalState | null> => {
  const adminIds = new Set(
    products.filter(needsApproval).flatMap(({ approval }) => adminIdIn(approval?.by ?? '') ?? []),
  );
  const admins = new Map(
    adminIds.size === 0
      ? []
      : (
          await enabledAdmins(db)
            .where('admins.id', 'in', [...adminIds])
            .execute()
        ).map((admin) => [admin.id, effectivePermissionsOfAdmin(admin)]),
  );
  const servers = admins.size === 0 ? [] : await readServers(db);
  return (product) => {
    if (!needsApproval(product)) return null;
    if (product.approval === null) return 'missing';
    const adminId = adminIdIn(product.approval.by);
    // The owner of the machine, or of a product that is older than approvals.
    if (adminId === undefined) return 'approved';
    const admin = admins.get(adminId);
    return admin && mayApprove(admin, product, servers) ? 'approved' : 'ended';
  };
};
