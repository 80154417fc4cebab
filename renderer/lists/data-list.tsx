import { Table, TextInput } from '@mantine/core';
import { goTo } from '../routing/use-hash-location.ts';
import { useSearchState } from '../routing/use-search-state.ts';
import type { DataListProps } from './list-props.ts';

/** A list of anything: search, filters and order stand in the address. */
export const DataList = <Row,>(props: DataListProps<Row>) => {
  const { label, rows, rowId, columns, search, rowTo, onOpen, empty } = props;
  const { values, set } = useSearchState();
  const wanted = (values.q ?? '').toLocaleLowerCase();
  const shown =
    typeof search === 'function'
      ? rows.filter((row) => search(row).toLocaleLowerCase().includes(wanted))
      : rows;
  if (rows.length === 0 && wanted === '') return empty;
  return (
    <>
      {search && (
        <TextInput
          aria-label={label}
          value={values.q ?? ''}
          onChange={({ currentTarget }) => set({ q: currentTarget.value })}
        />
      )}
      <Table aria-label={label} highlightOnHover>
        <Table.Thead>
          <Table.Tr>
            {columns.map(({ id, header }) => (
              <Table.Th key={id}>{header}</Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {shown.map((row) => (
            <Table.Tr key={rowId(row)} onClick={() => (rowTo ? goTo(rowTo(row)) : onOpen?.(row))}>
              {columns.map(({ id, cell }) => (
                <Table.Td key={id}>{cell(row)}</Table.Td>
              ))}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </>
  );
};
