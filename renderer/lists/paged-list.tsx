import { Trouble } from '../design/trouble.tsx';
import type { PagedRead } from '../wire/queries.ts';
import { DataList } from './data-list.tsx';
import type { DataListProps } from './list-props.ts';

export interface PagedListProps<Row> extends Omit<DataListProps<Row>, 'rows' | 'isLoading' | 'more'> {
  readonly paged: PagedRead<Row>;
}

/** A list that the API delivers page by page; loaded rows stay if reading them again fails. */
export const PagedList = <Row,>({ paged, ...list }: PagedListProps<Row>) =>
  paged.error && paged.rows.length === 0 ? (
    <Trouble error={paged.error} onRetry={paged.reload} />
  ) : (
    <DataList {...list} rows={paged.rows} isLoading={paged.isPending} more={paged} />
  );
