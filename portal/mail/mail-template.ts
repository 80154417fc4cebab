import { product } from '#contracts/product.ts';
import type { MailContent } from './outbox.ts';

/**
 * A paragraph; or, on a line of its own, something to copy (a code, a key, a command) or an address of ours to follow,
 * which is left out where it is not known (null).
 */
export type MailPart = string | { readonly copy: string } | { readonly link: string | null };

export interface MailTemplate {
  readonly kind: string;
  readonly subject: string;
  readonly parts: readonly MailPart[];
}

/** The same words as plain text and as simple HTML, in which nothing that came from elsewhere can be markup. */
export const renderMail = ({ kind, subject, parts }: MailTemplate): MailContent => {
  const whole = [...parts, `${product.name} license portal. This mail was sent by a machine.`];
  const body = whole.map(htmlOf).filter(Boolean).join('\n');
  return {
    kind,
    subject,
    text: `${whole.map(textOf).filter(Boolean).join('\n\n')}\n`,
    html: `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>${escapeHtml(subject)}</title></head>
<body style="font-family:sans-serif;line-height:1.5;max-width:36em">
${body}
</body></html>
`,
  };
};

const textOf = (part: MailPart): string => {
  if (typeof part === 'string') return part;
  if ('copy' in part) return `    ${part.copy}`;
  return part.link === null ? '' : `    ${part.link}`;
};

const htmlOf = (part: MailPart): string => {
  if (typeof part === 'string') return `<p>${escapeHtml(part)}</p>`;
  if ('copy' in part) return `<p style="font-family:monospace;font-size:1.25em">${escapeHtml(part.copy)}</p>`;
  const link = part.link === null ? '' : escapeHtml(part.link);
  return link && `<p><a href="${link}">${link}</a></p>`;
};

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};
const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, (sign) => entities[sign] ?? '');
