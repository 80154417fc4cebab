import type { Secret } from '#runtime/secret.ts';
import { createSecretBox } from '#runtime/secret-box.ts';
import type { PortalContext } from '../../portal/context.ts';
import { mailBodyColumn } from '../../portal/mail/outbox.ts';

export interface WrittenMail {
  readonly kind: string;
  readonly subject: string;
  readonly text: string;
}

/**
 * The unsent mails of the portal to an address, the oldest first. They are ordered by transaction, because one connection may
 * write into space that another has left earlier in the table.
 */
export const mailsTo = async (
  { pool }: Pick<PortalContext, 'pool'>,
  masterKey: Secret,
  address: string,
): Promise<readonly WrittenMail[]> => {
  const { rows } = await pool.query<{ id: string; kind: string; subject: string; body_sealed: string }>(
    `select id, kind, subject, body_sealed from mail_outbox
      where recipient = $1 and body_sealed is not null order by xmin::text::bigint, ctid`,
    [address],
  );
  const box = createSecretBox([masterKey]);
  return rows.map(({ id, kind, subject, body_sealed: sealed }) => {
    const { text } = JSON.parse(box.open(sealed, mailBodyColumn.placeOf(id)).toString()) as { text: string };
    return { kind, subject, text };
  });
};

/** The one-time code in the newest mail to an address. */
export const newestCode = async (...mailbox: Parameters<typeof mailsTo>): Promise<string> => {
  const text = (await mailsTo(...mailbox)).at(-1)?.text ?? '';
  const [code] = /\b[0-9A-HJKMNP-TV-Z]{4}-[0-9A-HJKMNP-TV-Z]{4}\b/.exec(text) ?? [];
  if (code === undefined) throw new Error('the newest mail holds no code');
  return code;
};
