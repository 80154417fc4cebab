import { expect, test } from 'vitest';
import { renderMail } from './mail-template.ts';

// Guarantee: nothing that came from elsewhere is markup in a mail; the plain text holds it unchanged.
test('a letter escapes', () => {
  const hostile = `<script>"&'</script>`;
  const parts = [hostile, { copy: hostile }, { link: hostile }];
  const { text, html } = renderMail({ kind: 'x', subject: hostile, parts });
  expect(text).toContain(hostile);
  expect(html).not.toContain('<script');
  expect(html.match(/&lt;script&gt;&quot;&amp;&#39;/g)).toHaveLength(5);
});

// Guarantee: an address that is not known leaves no trace: no empty link, no gap.
test('a letter without its link', () => {
  const written = (link: string | null) =>
    renderMail({ kind: 'x', subject: 'x', parts: ['before', { link }, 'after'] });
  const whole = written('https://licenses.example.com/account');
  expect(whole.text).toContain('before\n\n    https://licenses.example.com/account\n\nafter');
  expect(whole.html).toContain('<a href="https://licenses.example.com/account">');
  const without = renderMail({ kind: 'x', subject: 'x', parts: ['before', 'after'] });
  expect(written(null)).toEqual(without);
});
