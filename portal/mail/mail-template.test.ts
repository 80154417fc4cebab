import { expect, test } from 'vitest';
import { type MailPart, renderMail } from './mail-template.ts';

const written = (subject: string, parts: readonly MailPart[]) =>
  renderMail({ kind: 'x', language: 'en', write: () => ({ subject, parts }) });

// Guarantee: text from elsewhere is never markup in a mail; the plain text contains it unchanged.
test('a letter escapes', () => {
  const hostile = `<script>"&'</script>`;
  const { text, html } = written(hostile, [hostile, { copy: hostile }, { link: hostile }]);
  expect(text).toContain(hostile);
  expect(html).not.toContain('<script');
  expect(html.match(/&lt;script&gt;&quot;&amp;&#39;/g)).toHaveLength(5);
});

// Guarantee: an unknown address leaves no trace: no empty link, no gap.
test('a letter without its link', () => {
  const around = (link: string | null) => written('x', ['before', { link }, 'after']);
  const whole = around('https://licenses.example.com/account');
  expect(whole.text).toContain('before\n\n    https://licenses.example.com/account\n\nafter');
  expect(whole.html).toMatch(/<a [^>]*href="https:\/\/licenses\.example\.com\/account">/);
  expect(around(null)).toEqual(written('x', ['before', 'after']));
});

// Guarantee: if a customer's language is unknown, a mail has everything in both languages, English first.
test('a letter to a reader of an unknown language', () => {
  const write = (language: string) => ({ subject: `subject ${language}`, parts: [`text ${language}`] });
  const both = renderMail({ kind: 'x', language: null, write });
  expect(both.subject).toBe('subject en · subject pt-BR');
  expect(both.text).toMatch(/^text en\n.*automatically.*text pt-BR\n.*automaticamente/s);
  expect(both.html).toMatch(/<html lang="en">.*<div lang="en".*text en.*<div lang="pt-BR".*text pt-BR/s);
  const one = renderMail({ kind: 'x', language: 'pt-BR', write });
  expect(one.subject).toBe('subject pt-BR');
  expect(one.html).toContain('<html lang="pt-BR">');
  expect(one.text + one.html).not.toContain('text en');
});
