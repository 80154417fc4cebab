import type { Kysely } from 'kysely';
import type { Language } from '#contracts/kernel/language.ts';
import { revealCodeMinutes } from '#contracts/portal/customers.ts';
import type { Clock } from '#runtime/clock.ts';
import type { PortalTables } from '../database/tables.ts';
import { recordEvent } from '../licenses/license-events.ts';
import type { LicenseKeyVault } from '../licenses/license-key-vault.ts';
import { maskKey } from '../licenses/license-view.ts';
import type { Outbox } from '../mail/outbox.ts';
import { countAttempts } from './attempt-limits.ts';
import { type CodeUse, putCode, type TakenCode, takeCode } from './customer-codes.ts';
import { revealCodeLetter } from './customer-letters.ts';
import type { Customer } from './customer-sessions.ts';
import type { CodeRequest } from './sign-in.ts';

type RevealAnswer =
  | { readonly outcome: 'revealed'; readonly licenseKey: string }
  | { readonly outcome: 'not-found' }
  | Exclude<TakenCode, { outcome: 'right' }>;

/** Shows customers their own license key, only for a fresh code, so that an open browser alone reveals none. */
export interface KeyReveal {
  requestCode(
    customer: Customer,
    licenseId: string,
    language: Language | null,
  ): Promise<CodeRequest | { readonly outcome: 'not-found' }>;
  reveal(customer: Customer, licenseId: string, code: string): Promise<RevealAnswer>;
}

interface KeyRevealOptions {
  readonly db: Kysely<PortalTables>;
  readonly vault: LicenseKeyVault;
  readonly clock: Clock;
  readonly outbox: Outbox;
  readonly accountUrl: string | null;
}

const codeUse = ({ token }: Customer, licenseId: string): CodeUse => ({
  holder: token,
  purpose: 'reveal-key',
  licenseId,
});

export const createKeyReveal = (options: KeyRevealOptions): KeyReveal => {
  const { db, vault, clock, outbox, accountUrl } = options;
  const sealedKey = async (from: Kysely<PortalTables>, { tenantId }: Customer, licenseId: string) =>
    (
      await from
        .selectFrom('licenses')
        .select('key_sealed')
        .where('id', '=', licenseId)
        .where('tenant_id', '=', tenantId)
        .executeTakeFirst()
    )?.key_sealed ?? null;

  return {
    async requestCode(customer, licenseId, language) {
      const { tenantId, email } = customer;
      const sealed = await sealedKey(db, customer, licenseId);
      if (sealed === null) return { outcome: 'not-found' };
      const retryAfterSeconds = await countAttempts(db, [{ scope: 'reveal-by-customer', subject: tenantId }]);
      if (retryAfterSeconds !== null) return { outcome: 'rate-limited', retryAfterSeconds };
      const expiresAt = new Date(clock.now().getTime() + revealCodeMinutes * 60_000);
      await db.transaction().execute(async (trx) => {
        const use = codeUse(customer, licenseId);
        const code = await putCode(trx, { ...use, email, tenantId, expiresAt });
        const maskedKey = maskKey(vault.open(sealed, licenseId));
        const content = revealCodeLetter(maskedKey, {
          code,
          language: language ?? customer.language,
          accountUrl,
        });
        await outbox.enqueue(trx, { ...content, to: email, expiresAt });
      });
      return { outcome: 'asked' };
    },

    async reveal(customer, licenseId, code) {
      return db.transaction().execute(async (trx): Promise<RevealAnswer> => {
        const sealed = await sealedKey(trx, customer, licenseId);
        if (sealed === null) return { outcome: 'not-found' };
        const now = clock.now();
        const taken = await takeCode(trx, codeUse(customer, licenseId), code, now);
        if (taken.outcome !== 'right') return taken;
        await recordEvent(trx, { licenseId, kind: 'key_revealed', actor: 'customer', at: now });
        return { outcome: 'revealed', licenseKey: vault.open(sealed, licenseId) };
      });
    },
  };
};
