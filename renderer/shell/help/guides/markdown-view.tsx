import { Code, Table, Text, Title, type TitleOrder } from '@mantine/core';
import type { ReactNode } from 'react';
import { useLocation } from 'wouter';
import { PanelLink } from '../../../kit/design/panel-link.tsx';
import { OutsideLink } from '../../../mods/mod-parts/outside-link.tsx';
import { guideAddress, guideNames, guides, headingId } from '../guides.ts';
import { type Block, type Inline, plainOf } from '../markdown.ts';
import classes from './markdown.module.css';

/** Headings and other bundled documents are addresses of the panel; any other file is shown by name only. */
const Link = ({ to, children }: { readonly to: string; readonly children: ReactNode }) => {
  const [here] = useLocation();
  if (/^https?:/i.test(to))
    return (
      <OutsideLink href={to} underline="always">
        {children}
      </OutsideLink>
    );
  const [path = '', anchor] = to.split('#');
  const file = path.split('/').at(-1) ?? '';
  const guide = guideNames.find((name) =>
    file === '' ? guideAddress({ guide: name }) === here : guides[name].file.split('/').at(-1) === file,
  );
  return guide ? (
    <PanelLink to={guideAddress({ guide, ...(anchor && { heading: anchor }) })} underline="always">
      {children}
    </PanelLink>
  ) : (
    children
  );
};

const InlinePart = ({ part }: { readonly part: Inline }): ReactNode => {
  switch (part.kind) {
    case 'text':
      return part.text;
    case 'code':
      return <Code>{part.text}</Code>;
    case 'strong':
      return (
        <strong>
          <InlineText parts={part.parts} />
        </strong>
      );
    case 'emphasis':
      return (
        <em>
          <InlineText parts={part.parts} />
        </em>
      );
    case 'link':
      return (
        <Link to={part.to}>
          <InlineText parts={part.parts} />
        </Link>
      );
  }
};

export const InlineText = ({ parts }: { readonly parts: readonly Inline[] }): ReactNode =>
  parts.map((part, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: a document does not change
    <InlinePart key={index} part={part} />
  ));

/** Below the page's own title. */
const orderOf = (level: number): TitleOrder => Math.min(6, level + 1) as TitleOrder;

const BlockView = ({ block }: { readonly block: Block }) => {
  switch (block.kind) {
    case 'heading':
      return (
        <Title
          order={orderOf(block.level)}
          id={headingId(block.text)}
          tabIndex={-1}
          className={classes.heading}
        >
          {block.text}
        </Title>
      );
    case 'paragraph':
      return (
        <Text component="p" m={0}>
          <InlineText parts={block.parts} />
        </Text>
      );
    case 'code':
      return (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a long line is scrolled by the keyboard, too
        <pre className={classes.code} tabIndex={0}>
          {block.text}
        </pre>
      );
    case 'list': {
      const List = block.isOrdered ? 'ol' : 'ul';
      return (
        <List className={classes.list}>
          {block.items.map((parts) => (
            <li key={plainOf(parts)}>
              <InlineText parts={parts} />
            </li>
          ))}
        </List>
      );
    }
    case 'table':
      return (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a wide table is scrolled by the keyboard, too
        <div className={classes.wide} tabIndex={0}>
          <Table>
            <Table.Thead>
              <Table.Tr>
                {block.head.map((parts, index) => (
                  // biome-ignore lint/suspicious/noArrayIndexKey: a document does not change
                  <Table.Th key={index} scope="col">
                    <InlineText parts={parts} />
                  </Table.Th>
                ))}
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {block.rows.map((row) => (
                <Table.Tr key={row.map(plainOf).join('|')}>
                  {row.map((parts, index) => (
                    // biome-ignore lint/suspicious/noArrayIndexKey: a document does not change
                    <Table.Td key={index}>
                      <InlineText parts={parts} />
                    </Table.Td>
                  ))}
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        </div>
      );
  }
};

/** One of our documents. It is in English, whatever the language of the panel. */
export const MarkdownView = ({ blocks }: { readonly blocks: readonly Block[] }) => (
  <div className={classes.document} lang="en">
    {blocks.map((block, index) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: a document does not change
      <BlockView key={index} block={block} />
    ))}
  </div>
);
