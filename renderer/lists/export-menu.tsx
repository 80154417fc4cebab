import { Button, Menu } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { saveFile } from '../design/save-file.ts';
import { useWords } from '../language/use-words.ts';
import { asLocal } from '../records/range.ts';
import { csvOf } from './csv.ts';
import type { DataListProps } from './list-props.ts';
import { listsWords } from './lists.words.ts';
import type { Entry } from './use-arranged.ts';

export interface ExportMenuProps<Row> extends Pick<DataListProps<Row>, 'name' | 'columns' | 'exports'> {
  /** The shown rows, in their order. */
  readonly entries: readonly Entry<Row>[];
}

/** The reader's date, for file names. */
const today = (): string => asLocal(new Date().toISOString()).slice(0, 10);

export const ExportMenu = <Row,>({ name, columns, exports, entries }: ExportMenuProps<Row>) => {
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
