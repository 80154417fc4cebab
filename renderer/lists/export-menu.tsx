import { Button, Menu } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { useWords } from '../language/use-words.ts';
import { csvOf } from './csv.ts';
import type { DataListProps } from './list-props.ts';
import { listsWords } from './lists.words.ts';

export interface ExportMenuProps<Row> extends Pick<DataListProps<Row>, 'name' | 'columns' | 'exports'> {
  /** What is shown, in its order. */
  readonly rows: () => readonly Row[];
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

export const ExportMenu = <Row,>({ name, columns, exports, rows }: ExportMenuProps<Row>) => {
  const words = useWords(listsWords);
  const icon = <IconDownload size={16} aria-hidden />;
  if (!exports)
    return (
      <Button
        variant="default"
        leftSection={icon}
        title={words.exportRows}
        onClick={() => download(`${name}-${today()}.csv`, csvOf(rows(), columns))}
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
