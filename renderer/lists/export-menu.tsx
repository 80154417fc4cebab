import { Button, Menu } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { useWords } from '../language/use-words.ts';
import { csvOf } from './csv.ts';
import type { DataListProps } from './list-props.ts';
import { listsWords } from './lists.words.ts';
import type { Entry } from './use-arranged.ts';

export interface ExportMenuProps<Row> extends Pick<DataListProps<Row>, 'name' | 'columns' | 'exports'> {
  /** What is shown, in its order. */
  readonly entries: readonly Entry<Row>[];
}

const download = (name: string, text: string): void => {
  const address = URL.createObjectURL(new Blob([text], { type: 'text/csv;charset=utf-8' }));
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
  URL.revokeObjectURL(address);
};

/** The day on this device, as files are named. */
const today = (): string => new Date().toLocaleDateString('sv-SE');

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
          download(`${name}-${today()}.csv`, csvOf(rows, columns));
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
