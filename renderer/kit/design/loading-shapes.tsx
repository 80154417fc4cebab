import { Ghost } from './ghost.tsx';
import { GhostRows, ghostWidths, LoadingFrame } from './loading.tsx';
import classes from './loading-shapes.module.css';

const Sections = ({ count }: { readonly count: number }) =>
  Array.from({ length: count }, (_, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the sections are all alike and never move
    <div key={index}>
      <div className={classes.sectionHead}>
        <Ghost width="9rem" />
      </div>
      <GhostRows rows={2} />
    </div>
  ));

/** Headings over hairlines, with rows below them. */
export const LoadingSections = () => (
  <LoadingFrame>
    <Sections count={3} />
  </LoadingFrame>
);

/** A detail page: its head, its tabs and two sections. */
export const LoadingDetail = ({ tabs = 4 }: { readonly tabs?: number }) => (
  <LoadingFrame>
    <div className={classes.head}>
      <Ghost width={36} height={36} />
      <div className={classes.names}>
        <Ghost width="14rem" height={20} />
        <Ghost width="min(22rem, 90%)" />
      </div>
    </div>
    <div className={classes.tabs}>
      {ghostWidths.slice(0, tabs).map((width) => (
        <Ghost key={width} width="4.5rem" />
      ))}
    </div>
    <Sections count={2} />
  </LoadingFrame>
);

/** Fields with their labels. */
export const LoadingForm = () => (
  <LoadingFrame>
    {ghostWidths.slice(0, 5).map((width) => (
      <div key={width} className={classes.names}>
        <Ghost width={width} />
        <Ghost height={36} />
      </div>
    ))}
  </LoadingFrame>
);

/** A graph over time. */
export const LoadingChart = () => (
  <LoadingFrame>
    <Ghost height={160} />
  </LoadingFrame>
);
