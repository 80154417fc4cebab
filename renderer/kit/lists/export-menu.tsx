import { Button, Menu } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { saveFile } from '../design/save-file.ts';
import { useWords } from '../language/use-words.ts';
import { asLocal } from '../records/range.ts';
import type { DataListProps, ListColumn } from './list-props.ts';
import { listsWords } from './lists.words.ts';
import type { Entry } from './use-arranged.ts';

/** To a spreadsheet, a cell that begins like this is a formula. */
const formulaStart = /^[\s"']*[=+\-@\t\r\n＝＋－＠]/;
/**
 * So is whatever follows one of these inside a cell, if the reader treats it as the separator: in half of the world `;`
 * is the separator.
 */
const innerStart = /([;\t|\r\n][\s"']*)(?=[=+\-@＝＋－＠])/g;

/** One cell by RFC 4180; a leading apostrophe turns formulas into text, as in the API's exports. */
export const csvCell = (text: string): string => {
  const defused = (formulaStart.test(text) ? `'${text}` : text).replace(innerStart, "$1'");
  return /[",;|\t\r\n]/.test(defused) ? `"${defused.replaceAll('"', '""')}"` : defused;
};

const csvLine = (cells: readonly string[]): string => `${cells.map(csvCell).join(',')}\r\n`;

/** With a header line; the byte order mark tells spreadsheets that it is UTF-8. */
export const csvOf = <Row,>(
  rows: readonly Row[],
  columns: readonly Pick<ListColumn<Row>, 'header' | 'text'>[],
): string => {
  const exported = columns.flatMap(({ header, text }) => (text ? [{ header, text }] : []));
  const lines = rows.map((row) => csvLine(exported.map(({ text }) => text(row))));
  return `\uFEFF${csvLine(exported.map(({ header }) => header))}${lines.join('')}`;
};

/** The reader's date, for file names. */
const today = (): string => asLocal(new Date().toISOString()).slice(0, 10);

export const ExportMenu = <Row,>(
  props: Pick<DataListProps<Row>, 'name' | 'columns' | 'exports'> & {
    /** The shown rows, in their order. */
    readonly entries: readonly Entry<Row>[];
  },
) => {
  const { name, columns, exports, entries } = props;
  const words = useWords(listsWords);
  const icon = <IconDownload size={16} aria-hidden />;
  if (!exports)
    return (
      <Button
        variant="default"
        leftSection={icon}
        title={words.exportRows}
        disabled={entries.length === 0}
        onClick={() => {
          const rows = entries.map(({ row }) => row);
          saveFile(csvOf(rows, columns), `${name}-${today()}.csv`, 'text/csv');
        }}
      >
        {words.export}
      </Button>
    );
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <Button variant="default" leftSection={icon}>
          {words.export}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {exports.map(({ label, href }) => (
          <Menu.Item key={href} component="a" href={href} download>
            {label}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
};
