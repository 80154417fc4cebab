import { ScrollArea, Table } from '@mantine/core';
import type { ReactNode } from 'react';
import classes from './store-figures.module.css';

export interface FigureColumn<Row> {
  readonly header: string;
  readonly cell: (row: Row) => ReactNode;
}

/** A table that scrolls within its card, by keys too. */
export const FigureTable = <Row,>(props: {
  readonly label: string;
  readonly rows: readonly Row[];
  readonly rowId: (row: Row) => string;
  /** The first column names the row; the others are numbers. */
  readonly columns: readonly FigureColumn<Row>[];
}) => {
  const { label, rows, rowId, columns } = props;
  const [name, ...numbers] = columns;
  return (
    <ScrollArea
      h="100%"
      type="auto"
      offsetScrollbars="present"
      viewportProps={{ tabIndex: 0, role: 'group', 'aria-label': label }}
    >
      <Table aria-label={label} className={classes.table} stickyHeader>
        <Table.Thead>
          <Table.Tr>
            {columns.map(({ header }) => (
              <Table.Th key={header} scope="col" {...(header !== name?.header && { ta: 'end' })}>
                {header}
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {rows.map((row) => (
            <Table.Tr key={rowId(row)}>
              <Table.Th scope="row" fw={400} data-name>
                {name?.cell(row)}
              </Table.Th>
              {numbers.map(({ header, cell }) => (
                <Table.Td key={header} ta="end">
                  {cell(row)}
                </Table.Td>
              ))}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </ScrollArea>
  );
};
