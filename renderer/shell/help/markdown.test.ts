import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { guideNames, guides } from './guides.ts';
import { type Inline, parseInline, parseMarkdown, plainOf } from './markdown.ts';

describe('what stands within a line', () => {
  test.each<[string, Inline[]]>([
    ['plain', [{ kind: 'text', text: 'plain' }]],
    [
      'a `b_c_d` e',
      [
        { kind: 'text', text: 'a ' },
        { kind: 'code', text: 'b_c_d' },
        { kind: 'text', text: ' e' },
      ],
    ],
    ['snake_case_name', [{ kind: 'text', text: 'snake_case_name' }]],
    ['_so_', [{ kind: 'emphasis', parts: [{ kind: 'text', text: 'so' }] }]],
    [
      '[the `code`](x.md)',
      [
        {
          kind: 'link',
          to: 'x.md',
          parts: [
            { kind: 'text', text: 'the ' },
            { kind: 'code', text: 'code' },
          ],
        },
      ],
    ],
    ['**bold**', [{ kind: 'strong', parts: [{ kind: 'text', text: 'bold' }] }]],
    ['an `open', [{ kind: 'text', text: 'an `open' }]],
  ])('%s', (text, parts) => expect(parseInline(text)).toEqual(parts));
});

test('blocks', () => {
  const text = [
    '# Title',
    '',
    'One line',
    'goes on.',
    '- first',
    '  goes on',
    '- second',
    '',
    '```',
    '# no title',
    '```',
    '| a | b |',
    '| - | - |',
    '| 1 | x\\|y |',
  ].join('\n');
  expect(parseMarkdown(text)).toEqual([
    { kind: 'heading', level: 1, text: 'Title' },
    { kind: 'paragraph', parts: [{ kind: 'text', text: 'One line goes on.' }] },
    {
      kind: 'list',
      isOrdered: false,
      items: [[{ kind: 'text', text: 'first goes on' }], [{ kind: 'text', text: 'second' }]],
    },
    { kind: 'code', text: '# no title' },
    {
      kind: 'table',
      head: [[{ kind: 'text', text: 'a' }], [{ kind: 'text', text: 'b' }]],
      rows: [[[{ kind: 'text', text: '1' }], [{ kind: 'text', text: 'x|y' }]]],
    },
  ]);
});

// Guarantee: no text makes the document parser hang or fail, and nothing that is written gets lost.
test('any text', () => {
  const pieces = fc.constantFrom(
    '`',
    '**',
    '_',
    '[',
    '](',
    ')',
    '|',
    '\n',
    '- ',
    '# ',
    '```',
    'a',
    ' ',
    '1. ',
  );
  fc.assert(
    fc.property(fc.array(pieces, { maxLength: 60 }), (list) => {
      const text = list.join('');
      parseMarkdown(text);
      const letters = (value: string) => value.replaceAll(/[^a]/g, '').length;
      // The target of a link is not text.
      if (!text.includes('](')) expect(letters(plainOf(parseInline(text)))).toBe(letters(text));
    }),
  );
});

// Guarantee: the bundled guides are fully parsed: no Markdown syntax is left in the text that people read.
test.each(guideNames)('the guide %s', async (name) => {
  const text = await readFile(resolve(import.meta.dirname, '../../../docs', guides[name].file), 'utf8');
  const blocks = parseMarkdown(text);
  expect(blocks[0]).toMatchObject({ kind: 'heading', level: 1 });
  const said = blocks.flatMap((block) => {
    if (block.kind === 'paragraph') return [block.parts];
    if (block.kind === 'list') return block.items;
    return block.kind === 'table' ? [...block.head, ...block.rows.flat()] : [];
  });
  const withoutCode = (parts: readonly Inline[]): string =>
    parts
      .map((part) => (part.kind === 'code' ? '' : part.kind === 'text' ? part.text : withoutCode(part.parts)))
      .join('');
  expect(said.map(withoutCode).filter((each) => /\*\*|`|\]\(|^#|^\|/.test(each))).toEqual([]);
});
