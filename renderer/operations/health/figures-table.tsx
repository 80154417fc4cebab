import { Table } from '@mantine/core';
import type { ReactNode } from 'react';
import classes from './figures-table.module.css';

/** A few rows of figures; if it is too wide it scrolls separately, by the keyboard too. */
export const FiguresTable = (props: {
  readonly label: string;
  readonly columns: readonly { readonly header: string; readonly isNumber?: boolean }[];
  readonly rows: readonly { readonly id: string; readonly cells: readonly ReactNode[] }[];
}) => {
  const { label, columns, rows } = props;
  const align = (index: number) => (columns[index]?.isNumber ? { ta: 'end' as const } : {});
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by the keyboard
    <div className={classes.scroll} tabIndex={0}>
      <Table aria-label={label} className={classes.table ?? ''}>
        <Table.Thead>
          <Table.Tr>
            {columns.map(({ header }, index) => (
              <Table.Th key={header} scope="col" {...align(index)}>
                {header}
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {rows.map(({ id, cells }) => (
            <Table.Tr key={id}>
              {cells.map((cell, index) => (
                <Table.Td key={columns[index]?.header} {...align(index)}>
                  {cell}
                </Table.Td>
              ))}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </div>
  );
};
