import { expect, test } from 'vitest';
import { letter } from './letter.ts';

// Guarantee: nothing that came from elsewhere is markup in a mail; the plain text holds it unchanged.
test('a letter escapes', () => {
  const hostile = `<script>"&'</script>`;
  const { text, html } = letter({ kind: 'x', subject: hostile, parts: [hostile, { copy: hostile }] });
  expect(text).toContain(hostile);
  expect(html).not.toContain('<script');
  expect(html.match(/&lt;script&gt;&quot;&amp;&#39;/g)).toHaveLength(3);
});
