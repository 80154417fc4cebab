import { type Language, languages } from '#contracts/kernel/language.ts';
import { product } from '#contracts/kernel/product.ts';
import { escapeHtml } from '#runtime/escape-html.ts';
import { lightColour } from '../pages/design-tokens.ts';
import { mailWords } from './mail.words.ts';
import type { MailContent } from './outbox.ts';

/**
 * A paragraph; or, on a separate line, text to copy (a code, a key, a command) or one of our addresses as a link, which
 * is left out if it is unknown (null).
 */
export type MailPart = string | { readonly copy: string } | { readonly link: string | null };

interface MailTexts {
  readonly subject: string;
  readonly parts: readonly MailPart[];
}

/** The same words as plain text and as simple HTML, in which text from elsewhere can never be markup. */
export const renderMail = ({
  kind,
  language,
  write,
}: {
  readonly kind: string;
  /** The reader's language; null: unknown, and the mail has everything in all languages, English first. */
  readonly language: Language | null;
  readonly write: (language: Language) => MailTexts;
}): MailContent => {
  const written = (language === null ? languages : [language]).map((spoken) => {
    const { subject, parts } = write(spoken);
    return { spoken, subject, parts: [...parts, mailWords[spoken].foot] };
  });
  const subject = written.map((texts) => texts.subject).join(' · ');
  const texts = written.map(({ parts }) => parts.map(textOf).filter(Boolean).join('\n\n'));
  const bodies = written.map(
    ({ spoken, parts }) =>
      `<div lang="${spoken}" style="${styles.letter}">\n${parts.map(htmlOf).filter(Boolean).join('\n')}\n</div>`,
  );
  return {
    kind,
    subject,
    text: `${texts.join('\n\n--------\n\n')}\n`,
    html: `<!doctype html>
<html lang="${written[0]?.spoken}"><head><meta charset="utf-8"><meta name="color-scheme" content="light"><title>${escapeHtml(subject)}</title></head>
<body style="${styles.body}">
<p style="${styles.brand}">${escapeHtml(product.name)}</p>
${bodies.join('\n')}
</body></html>
`,
  };
};

/** The page's colours as values, since mail programs support neither stylesheets nor variables. */
const styles = {
  body: `margin:0 auto;padding:24px 16px;max-width:38em;background:${lightColour('--surface-page')};color:${lightColour('--text')};font-family:Inter,'Segoe UI',Roboto,Helvetica,Arial,sans-serif;font-size:16px;line-height:1.5`,
  brand: `margin:0 0 16px;font-weight:600;color:${lightColour('--accent')}`,
  letter: `margin:0 0 16px;padding:8px 24px;background:${lightColour('--surface-card')};border:1px solid ${lightColour('--line')};border-radius:8px`,
  copy: `padding:12px 16px;background:${lightColour('--surface-raised')};border-radius:6px;font-family:'JetBrains Mono',Consolas,Menlo,monospace;font-size:18px;word-break:break-all`,
  link: `color:${lightColour('--accent')}`,
} as const;

const textOf = (part: MailPart): string => {
  if (typeof part === 'string') return part;
  if ('copy' in part) return `    ${part.copy}`;
  return part.link === null ? '' : `    ${part.link}`;
};

const htmlOf = (part: MailPart): string => {
  if (typeof part === 'string') return `<p>${escapeHtml(part)}</p>`;
  if ('copy' in part) return `<p style="${styles.copy}">${escapeHtml(part.copy)}</p>`;
  const link = part.link === null ? '' : escapeHtml(part.link);
  return link && `<p><a style="${styles.link}" href="${link}">${link}</a></p>`;
};
