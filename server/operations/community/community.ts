import { type Kysely, sql } from 'kysely';
import type { Community, CommunityFace } from '#contracts/operations/community.ts';
import { logoLimits } from '#contracts/operations/community-http.ts';
import { publicOrigin } from '#contracts/operations/public-address.ts';
import type { SectionValues } from '#contracts/operations/settings.ts';
import { readPicture } from '#runtime/pictures/read-picture.ts';
import type { Secret } from '#runtime/secret.ts';
import type { AuditContext } from '../../kernel/access/audit-context.ts';
import { recordAudit } from '../../kernel/audit/record-audit.ts';
import type { Notifications } from '../../kernel/database/notifications.ts';
import type { Tables } from '../../kernel/database/tables.ts';
import { type Refusal, refuse } from '../../kernel/http/refusal.ts';
import { type CheckAddress, createCheckAddress, createSeeRequest, type SeeRequest } from './check-address.ts';
import { keepLogo, type Logo, logoChannel } from './kept-logo.ts';

export interface CommunityProfile {
  face(): Promise<CommunityFace>;
  read(): Promise<Community>;
  /** Where people and shops reach the API from outside; null: it is not known. */
  publicAddress(): Promise<string | null>;
  logo(): Promise<Logo | null>;
  setLogo(
    change: {
      /** The SHA-256 of the logo that the change was made from. */
      readonly seen: string | null;
      /** In base64; null removes it. */
      readonly logo: string | null;
    },
    by: AuditContext,
  ): Promise<CommunityFace | Refusal>;
  /** Whether an address leads to this API. */
  readonly checkAddress: CheckAddress;
  readonly seeRequest: SeeRequest;
}

export const createCommunity = ({
  db,
  notifications,
  chosen,
  internalApiSecret,
}: {
  readonly db: Kysely<Tables>;
  readonly notifications: Notifications;
  /** The general settings that someone has saved. */
  readonly chosen: () => Promise<Partial<SectionValues<'general'>>>;
  readonly internalApiSecret: Secret;
}): CommunityProfile => {
  const kept = keepLogo(db, notifications);
  const read = async (): Promise<Community> => {
    const [{ communityName, language, timeZone, publicAddress }, logo] = await Promise.all([
      chosen(),
      kept.sha256(),
    ]);
    return {
      name: communityName ?? null,
      language: language ?? null,
      timeZone: timeZone ?? null,
      publicAddress: publicOrigin(publicAddress ?? ''),
      logo,
    };
  };
  const face = async (): Promise<CommunityFace> => {
    const { name, language, logo } = await read();
    return { name, language, logo };
  };
  return {
    read,
    face,
    publicAddress: async () => publicOrigin((await chosen()).publicAddress ?? ''),
    logo: () => kept.read(),
    checkAddress: createCheckAddress(internalApiSecret),
    seeRequest: createSeeRequest(internalApiSecret),
    async setLogo({ seen, logo }, by) {
      const picture = logo === null ? null : readPicture(Buffer.from(logo, 'base64'), logoLimits);
      if (picture && 'unfit' in picture) return refuse('PICTURE_INVALID', picture.unfit);
      const refusal = await db.transaction().execute(async (trx) => {
        // There may be no row to lock yet.
        await sql`lock table community_logo in share row exclusive mode`.execute(trx);
        const before = await trx
          .selectFrom('community_logo')
          .select(['media_type', 'width', 'height', 'sha256'])
          .executeTakeFirst();
        if ((before?.sha256 ?? null) !== seen) return refuse('CONFLICT');
        if (before?.sha256 === picture?.sha256) return null;
        await trx.deleteFrom('community_logo').execute();
        if (picture)
          await trx
            .insertInto('community_logo')
            .values({
              media_type: picture.mediaType,
              width: picture.width,
              height: picture.height,
              bytes: picture.bytes,
              sha256: picture.sha256,
            })
            .execute();
        await recordAudit(trx, {
          ...by,
          action: 'community.change-logo',
          target: 'settings:general',
          before: before && {
            logo: { mediaType: before.media_type, width: before.width, height: before.height },
          },
          after: picture && {
            logo: { mediaType: picture.mediaType, width: picture.width, height: picture.height },
          },
        });
        await sql`select pg_notify(${logoChannel}, '')`.execute(trx);
        return null;
      });
      if (refusal) return refusal;
      kept.forget();
      return face();
    },
  };
};
