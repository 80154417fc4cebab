import { expect, test } from 'vitest';
import { lineOf, linesOf, textOfHtml } from './source-text.ts';

const most = 20_000;

test('the text of a changelog', () => {
  const html =
    '<h2>2.0</h2><ul><li class="x">Fixes <b>farms</b> &amp; caves</li><li>1 &lt; 2<br/>so</li></ul>';
  expect(textOfHtml(html, most)).toBe('2.0\n- Fixes farms & caves\n- 1 < 2\nso');
  expect(textOfHtml('<script>alert(1)</script>', most)).toBe('alert(1)');
  expect(textOfHtml('<p></p>', most)).toBeNull();
});

// Guarantee: a text made to be slow is read in one pass: neither people nor other work wait for it.
test.each(['<', '<br ', '</p ', '<li ', '<a href="', '<<b>', '&', '&amp;', '\n', ' ', '\u202E'])(
  'a changelog of nothing but %j',
  (part) => {
    const text = part.repeat(Math.ceil((10 * most) / part.length));
    const began = performance.now();
    textOfHtml(text, most);
    linesOf(text, most);
    lineOf(text, 200);
    expect(performance.now() - began).toBeLessThan(2000);
  },
);
