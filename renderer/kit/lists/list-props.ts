import type { ReactNode } from 'react';

export interface ListColumn<Row> {
  /** Used in addresses and saved views, so it must never change. */
  readonly id: string;
  readonly header: string;
  readonly cell: (row: Row) => ReactNode;
  /** The sort key; without it the list cannot be sorted by this column. Null sorts last. */
  readonly sortBy?: (row: Row) => string | number | null;
  /** The text in an export; without it the column is left out there. */
  readonly text?: (row: Row) => string;
  /** In the grid, such as `minmax(12rem, 2fr)`; `1fr` if absent. */
  readonly width?: string;
  /** Numbers are aligned right. */
  readonly align?: 'end';
  /** Left out where the list is narrow. */
  readonly isMinor?: boolean;
}

export interface ListFilter<Row> {
  /** The name of its value in the address. */
  readonly id: string;
  readonly label: string;
  readonly options: readonly { readonly value: string; readonly label: string }[];
  /** Absent where the API filters: the page then reads by the address's value itself. */
  readonly matches?: (row: Row, value: string) => boolean;
}

interface BulkActFacts<Row> {
  readonly label: string;
  readonly icon?: ReactNode;
  readonly isDestructive?: boolean;
  /** Which of the selected rows it applies to. */
  readonly isFor?: (row: Row) => boolean;
  /** The name of each row in the progress. */
  readonly nameOf: (row: Row) => string;
}

interface BulkWork<Row> extends BulkActFacts<Row> {
  /** The effect on this number of rows, confirmed beforehand; absent: no confirmation. */
  readonly question?: (rows: readonly Row[]) => string;
  /** Applied to one row after another, with a progress that can be left and found again. */
  readonly run: (row: Row) => Promise<unknown>;
  readonly opens?: never;
}

interface BulkDialog<Row> extends BulkActFacts<Row> {
  readonly question?: never;
  readonly run?: never;
  /**
   * The page itself asks for more, such as the text of a message, and continues from there.
   * @param onDone called once it is done for all of them; until then they stay selected
   */
  readonly opens: (rows: readonly Row[], onDone: () => void) => void;
}

export type BulkAction<Row> = BulkWork<Row> | BulkDialog<Row>;

/** The source of rows that come page by page: the rest is fetched as the list is scrolled. */
export interface MoreRows {
  readonly hasMore: boolean;
  readonly isLoadingMore: boolean;
  loadMore(): void;
}

export interface DataListProps<Row> {
  /** For saved views and the exported file: `servers`. */
  readonly name: string;
  /** The content of the list, for a screen reader. */
  readonly label: string;
  readonly rows: readonly Row[];
  readonly rowId: (row: Row) => string;
  readonly columns: readonly ListColumn<Row>[];
  /**
   * The text of each row that the search box searches. `'api'`: the page itself reads by the address's `q`; absent:
   * there is no search box.
   */
  readonly search?: ((row: Row) => string) | 'api';
  readonly filters?: readonly ListFilter<Row>[];
  readonly bulk?: readonly BulkAction<Row>[];
  /**
   * The address of a row's own page; Enter and a click lead there. The first column is inside that link, so its cells
   * contain no links or buttons.
   */
  readonly rowTo?: (row: Row) => string;
  /** Used if rows have no page of their own: Enter and a click call this. */
  readonly onOpen?: (row: Row) => void;
  readonly more?: MoreRows;
  /** The first rows are loading: neither whether there are any nor how many is known. */
  readonly isLoading?: boolean;
  /** For an empty list: its purpose, and the first step. The list itself draws an example, and also says when nothing matches. */
  readonly empty: ReactNode;
  /** Addresses of exports made by the API; absent: the shown rows are exported as CSV. */
  readonly exports?: readonly { readonly label: string; readonly href: string }[];
}
