import type { ReactNode } from 'react';

export interface ListColumn<Row> {
  /** In addresses and saved views, so it stays the same for good. */
  readonly id: string;
  readonly header: string;
  readonly cell: (row: Row) => ReactNode;
  /** What it is sorted by; without it the list cannot be sorted by this column. Null sorts last. */
  readonly sortBy?: (row: Row) => string | number | null;
  /** What stands in an export; without it the column is left out there. */
  readonly text?: (row: Row) => string;
  /** Of the grid, such as `minmax(12rem, 2fr)`; `1fr` when absent. */
  readonly width?: string;
  /** Numbers stand at the right. */
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
  /** Which of the chosen it can be done to. */
  readonly isFor?: (row: Row) => boolean;
  /** What the progress calls each. */
  readonly nameOf: (row: Row) => string;
}

interface BulkWork<Row> extends BulkActFacts<Row> {
  /** What will happen to so many, asked before it does; absent: nothing is asked. */
  readonly question?: (rows: readonly Row[]) => string;
  /** Done to one after the other, with progress that can be left and found again. */
  readonly run: (row: Row) => Promise<unknown>;
  readonly opens?: never;
}

interface BulkDialog<Row> extends BulkActFacts<Row> {
  readonly question?: never;
  readonly run?: never;
  /** The page asks for more itself, such as the text of a message, and goes on from there; they stay chosen. */
  readonly opens: (rows: readonly Row[]) => void;
}

export type BulkAction<Row> = BulkWork<Row> | BulkDialog<Row>;

/** Where the rows come from page by page: the rest is fetched as the list is scrolled. */
export interface MoreRows {
  readonly hasMore: boolean;
  readonly isLoadingMore: boolean;
  loadMore(): void;
}

export interface DataListProps<Row> {
  /** Of saved views and of the exported file: `servers`. */
  readonly name: string;
  /** What the list is of, for a screen reader. */
  readonly label: string;
  readonly rows: readonly Row[];
  readonly rowId: (row: Row) => string;
  readonly columns: readonly ListColumn<Row>[];
  /**
   * What the search box searches in, each row's words. `'api'`: the page itself reads by the address's `q`;
   * absent: there is no search box.
   */
  readonly search?: ((row: Row) => string) | 'api';
  readonly filters?: readonly ListFilter<Row>[];
  readonly bulk?: readonly BulkAction<Row>[];
  /**
   * The address of a row's own page; Enter and a click lead there. The first column stands in that link, so its cells
   * have no links or buttons of their own.
   */
  readonly rowTo?: (row: Row) => string;
  /** Instead of a page of its own: Enter and a click do this. */
  readonly onOpen?: (row: Row) => void;
  readonly more?: MoreRows;
  /** The first rows are on their way: neither that there are none nor how many there are is known. */
  readonly isLoading?: boolean;
  /** Nothing is there at all: why, and what to do first. Nothing that matches is told by the list itself. */
  readonly empty: ReactNode;
  /** Addresses of exports made by the API; absent: the rows that are shown are exported as CSV. */
  readonly exports?: readonly { readonly label: string; readonly href: string }[];
}
