import { isDeepStrictEqual } from 'node:util';
import { createId } from '@paralleldrive/cuid2';
import { type Kysely, sql } from 'kysely';
import { reasons } from '#contracts/kernel/reasons.ts';
import type { CatalogueImport, TransferredProduct } from '#contracts/store/catalogue-transfer.ts';
import type { ProductDraft } from '#contracts/store/store.ts';
import { pictureLimits } from '#contracts/store/store-http.ts';
import { gameOf } from '#games/games.ts';
import { type Picture, readPicture } from '#runtime/pictures/read-picture.ts';
import type { Actor } from '../../../kernel/access/actor.ts';
import type { AuditContext } from '../../../kernel/access/audit-context.ts';
import { nameKey } from '../../../kernel/access/name-key.ts';
import { recordAudit } from '../../../kernel/audit/record-audit.ts';
import { retryDeadlocks } from '../../../kernel/database/retry-deadlocks.ts';
import type { Tables } from '../../../kernel/database/tables.ts';
import { isRefusal } from '../../../kernel/http/refusal.ts';
import { readRoleFaults } from '../../sold-products.ts';
import type { StoreContext } from '../../store-context.ts';
import { findBundleFault, findHeldFault, holdParts, isBundle } from '../bundles.ts';
import { type Approval, approve } from '../command-approval.ts';
import { findLastingFault, findLineFault } from '../line-notes.ts';
import { findScheduleFault } from '../price-schedule.ts';
import { insertVersions, readProducts, type StoredProduct } from '../product-rows.ts';
import { chooseImportedCodes } from './imported-codes.ts';
import { faultsIn, type PlacedFault, readCatalogue } from './read-catalogue.ts';

type Trx = Kysely<Tables>;

const nothing = { created: 0, changed: 0, unchanged: 0 } as const;
/** The number of parameters of one statement is limited. */
const rowsPerWrite = 500;

/** All products or none: a fault, or a trial, leaves the database unchanged. */
export const importCatalogue = async (
  context: Pick<StoreContext, 'db' | 'roleFaults'>,
  bytes: Uint8Array,
  { dryRun }: { readonly dryRun: boolean },
  by: AuditContext,
): Promise<CatalogueImport> => {
  const file = readCatalogue(bytes);
  if ('faults' in file) return { ...nothing, ...file };
  return retryDeadlocks(context.db, async (trx) => {
    // Two concurrent files could create one product twice.
    await sql`select pg_advisory_xact_lock(hashtext('castellan: catalogue import'))`.execute(trx);
    const ids = file.products.flatMap(({ id }) => (id === undefined ? [] : [id]));
    await sql`select from products where id = any (${ids}::text[]) order by id for update`.execute(trx);
    const existing = new Map((await readProducts(trx, ids)).map((product) => [product.id, product]));
    const scopes = await readScopes(trx);
    const roleFault = await readRoleFaults(context, trx, file.products);
    const faults: PlacedFault[] = [];
    const seen = new Set<string>();
    const read = file.products.map((product, place): Omit<Wanted, 'shortCode' | 'approval'> => {
      const at = (path: PlacedFault['path'], message: string) =>
        faults.push({ path: ['products', place, ...path], message });
      if (product.id !== undefined && seen.has(product.id)) at(['id'], reasons['import-id-twice']);
      if (product.id !== undefined) seen.add(product.id);
      for (const [line, each] of product.lines.entries()) {
        if (each.kind === 'product') continue;
        const rules = { forms: gameOf(product.game).store, roleFault };
        const fault = findLineFault(each, rules);
        if (fault !== null) at(['lines', line], fault);
      }
      const lastingFault = findLastingFault(product.lines);
      if (lastingFault !== null) at(['lines'], lastingFault);
      const { saleFrom, saleUntil } = product.limits;
      if (saleFrom !== undefined && saleUntil !== undefined && new Date(saleFrom) >= new Date(saleUntil))
        at(['limits', 'saleUntil'], reasons['sale-backwards']);
      const scheduleFault = findScheduleFault(product.priceSchedule);
      if (scheduleFault !== null) at(['priceSchedule'], scheduleFault);
      const idsOf = (kind: 'clusters' | 'servers'): string[] =>
        product[kind].flatMap((name, index) => {
          const id = scopes[kind].get(`${product.game} ${nameKey(name)}`);
          if (id !== undefined) return [id];
          at([kind, index], reasons[kind === 'servers' ? 'import-no-server' : 'import-no-cluster'](name));
          return [];
        });
      const picture = pictureOf(product.picture, (why) => at(['picture'], why));
      const draft = draftOf(product, { clusterIds: idsOf('clusters'), serverIds: idsOf('servers') });
      const before = product.id === undefined ? undefined : existing.get(product.id);
      return { id: product.id ?? createId(), before, draft, position: product.position, picture };
    });
    faults.push(...(await findBundleFaults(trx, read)));
    const codes = await chooseImportedCodes(
      trx,
      read.map(({ id, draft, before }) => ({
        id,
        name: draft.name,
        wanted: draft.shortCode,
        own: before?.shortCode ?? null,
      })),
      (place, why) => faults.push({ path: ['products', place, 'shortCode'], message: why }),
    );
    const approvals = await approveAll(trx, read, by.actor, (place) =>
      faults.push({ path: ['products', place, 'lines'], message: reasons['command-right'] }),
    );
    const wanted = read.map(
      (one, place): Wanted => ({
        ...one,
        shortCode: codes.get(one.id) ?? '',
        approval: approvals[place] ?? null,
      }),
    );
    if (faults.length > 0) return { ...nothing, ...faultsIn(file.text, faults) };
    const created = wanted.filter(({ before }) => !before);
    const changed = wanted.filter((one) => one.before && isChange(one));
    const counts = {
      created: created.length,
      changed: changed.length,
      unchanged: wanted.length - created.length - changed.length,
    };
    if (!dryRun) {
      await freeCodes(trx, changed);
      for (let at = 0; at < created.length; at += rowsPerWrite)
        await insertProducts(trx, created.slice(at, at + rowsPerWrite));
      for (let at = 0; at < changed.length; at += rowsPerWrite)
        await changeProducts(trx, changed.slice(at, at + rowsPerWrite));
      for (const one of [...created, ...changed]) await writePicture(trx, one);
      await recordAudit(trx, {
        ...by,
        action: 'products.import',
        target: 'store',
        before: {
          changed: changed.slice(0, mostAudited).flatMap(({ before }) => before && auditedOf(before)),
        },
        after: {
          ...counts,
          products: [...created, ...changed]
            .slice(0, mostAudited)
            .map(({ id, draft }) => auditedOf({ ...draft, id, basePrice: draft.price })),
        },
      });
    }
    return { ...counts, faults: [], faultsTotal: 0 };
  });
};

/** Products named in one row of the audit log; it also holds their counts. */
const mostAudited = 100;
/** Commands may hold secrets: the versions of a product keep them. */
const auditedOf = ({ id, name, basePrice }: { id: string; name: string; basePrice: number }) => ({
  id,
  name,
  price: basePrice,
});

interface Wanted {
  readonly id: string;
  readonly before: StoredProduct | undefined;
  readonly draft: ProductDraft;
  readonly position: number;
  readonly shortCode: string;
  readonly approval: Approval | null;
  /** Undefined: the existing one stays. */
  readonly picture: Picture | null | undefined;
}

/** By place. The route has asked the person to confirm, who approves the commands by importing them. */
const approveAll = async (
  trx: Trx,
  read: readonly Pick<Wanted, 'before' | 'draft'>[],
  actor: Actor,
  refused: (place: number) => void,
): Promise<readonly (Approval | null)[]> => {
  const outcomes = await approve(
    trx,
    actor,
    read.map(({ before, draft }) => ({ before, after: draft })),
    new Date(),
  );
  return outcomes.map((outcome, place) => {
    if (!isRefusal(outcome)) return outcome;
    refused(place);
    return null;
  });
};

const pictureOf = (
  base64: string | null | undefined,
  tell: (why: string) => void,
): Picture | null | undefined => {
  if (base64 === null || base64 === undefined) return base64;
  const read = readPicture(Buffer.from(base64, 'base64'), pictureLimits);
  if (!('unfit' in read)) return read;
  tell(read.unfit);
  return null;
};

const draftOf = (
  {
    id: _id,
    clusters: _clusters,
    servers: _servers,
    position: _position,
    picture: _picture,
    ...contents
  }: TransferredProduct,
  scope: Pick<ProductDraft, 'clusterIds' | 'serverIds'>,
): ProductDraft => ({ ...contents, ...scope });

/** Bundles hold products of the file, or existing ones. */
const findBundleFaults = async (
  trx: Trx,
  wanted: readonly Omit<Wanted, 'shortCode' | 'approval'>[],
): Promise<readonly PlacedFault[]> => {
  const parts = new Map(
    await holdParts(
      trx,
      wanted.map(({ draft }) => draft),
    ),
  );
  for (const { id, draft } of wanted) parts.set(id, { id, game: draft.game, isBundle: isBundle(draft) });
  const ids = wanted.map(({ id }) => id);
  const faults: PlacedFault[] = [];
  for (const [place, { id, before, draft }] of wanted.entries()) {
    const found = findBundleFault(id, draft, (partId) => parts.get(partId));
    if (found)
      faults.push({
        path: ['products', place, 'lines', ...(found.line === null ? [] : [found.line])],
        message: found.fault,
      });
    const mayDisturb = before && (before.game !== draft.game || isBundle(draft));
    const held = mayDisturb ? await findHeldFault(trx, id, draft, ids) : null;
    if (held !== null) faults.push({ path: ['products', place, 'lines'], message: held });
  }
  return faults;
};

/** The stock of a product that is already sold is a count, which no file knows better. */
const isChange = ({ before, draft, position, shortCode, picture }: Wanted): boolean => {
  if (!before) return true;
  const { stock: _stock, shortCode: _wanted, ...contents } = draft;
  const known = { ...before, price: before.basePrice };
  const kept = Object.fromEntries(
    Object.keys(contents).map((name) => [name, known[name as keyof typeof contents]]),
  );
  const hasOtherPicture = picture !== undefined && picture?.sha256 !== before.picture?.sha256;
  return (
    hasOtherPicture ||
    before.position !== position ||
    before.shortCode !== shortCode ||
    before.archivedAt !== null ||
    !isDeepStrictEqual(kept, contents)
  );
};

/** By game and name: servers in use, and clusters with one. */
const readScopes = async (
  trx: Trx,
): Promise<Readonly<Record<'clusters' | 'servers', ReadonlyMap<string, string>>>> => {
  const rows = await trx
    .selectFrom('game_servers as server')
    .innerJoin('clusters as cluster', 'cluster.id', 'server.cluster_id')
    .select([
      'server.id',
      'server.game',
      'server.name_key as name',
      'cluster.id as clusterId',
      'cluster.name_key as clusterName',
    ])
    .where('server.archived_at', 'is', null)
    .execute();
  return {
    servers: new Map(rows.map(({ id, game, name }) => [`${game} ${name}`, id])),
    clusters: new Map(rows.map(({ game, clusterId, clusterName }) => [`${game} ${clusterName}`, clusterId])),
  };
};

/** Before others take them: each statement is checked by itself. */
const freeCodes = async (trx: Trx, changed: readonly Wanted[]): Promise<void> => {
  const ids = changed.flatMap(({ id, before, shortCode }) => (before?.shortCode === shortCode ? [] : [id]));
  await sql`update products set short_code = null where id = any (${ids}::text[])`.execute(trx);
};

const insertProducts = async (trx: Trx, created: readonly Wanted[]): Promise<void> => {
  await trx
    .insertInto('products')
    .values(
      created.map(({ id, draft, position, shortCode }) => ({
        id,
        stock: draft.stock,
        is_enabled: draft.isEnabled,
        on_wipe: draft.onWipe,
        regrant_most: draft.regrantMost,
        position,
        short_code: shortCode,
      })),
    )
    .execute();
  await insertVersions(
    trx,
    created.map(({ id, draft, approval }) => ({ id, version: 1, draft, approval })),
  );
};

const changeProducts = async (trx: Trx, changed: readonly Wanted[]): Promise<void> => {
  await insertVersions(
    trx,
    changed.map(({ id, before, draft, approval }) => ({
      id,
      version: (before?.version ?? 0) + 1,
      draft,
      approval,
    })),
  );
  const ids = changed.map(({ id }) => id);
  const enabled = changed.map(({ draft }) => draft.isEnabled);
  const positions = changed.map(({ position }) => position);
  const codes = changed.map(({ shortCode }) => shortCode);
  const acts = changed.map(({ draft }) => draft.onWipe);
  const most = changed.map(({ draft }) => draft.regrantMost);
  await sql`
    update products
       set version = version + 1, is_enabled = wanted.is_enabled, position = wanted.position,
           short_code = wanted.short_code, on_wipe = wanted.on_wipe, regrant_most = wanted.regrant_most,
           archived_at = null
      from unnest(${ids}::text[], ${enabled}::boolean[], ${positions}::integer[], ${codes}::text[],
                  ${acts}::text[], ${most}::integer[])
        as wanted (id, is_enabled, position, short_code, on_wipe, regrant_most)
     where products.id = wanted.id`.execute(trx);
};

const writePicture = async (trx: Trx, { id, before, picture }: Wanted): Promise<void> => {
  if (picture === undefined || picture?.sha256 === before?.picture?.sha256) return;
  await trx.deleteFrom('product_pictures').where('product_id', '=', id).execute();
  if (!picture) return;
  const { mediaType, width, height, bytes, sha256 } = picture;
  await trx
    .insertInto('product_pictures')
    .values({ product_id: id, media_type: mediaType, width, height, bytes, sha256 })
    .execute();
};
