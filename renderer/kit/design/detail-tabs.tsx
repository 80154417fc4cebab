import { Tabs } from '@mantine/core';
import { type ReactNode, useEffect, useRef } from 'react';
import classes from './detail-tabs.module.css';

interface DetailTab<Name extends string> {
  readonly name: Name;
  readonly label: string;
  /** The number of items in the tab, if known. */
  readonly count?: number | null;
}

/** The sections of a detail page, below its head. If there is not enough room for all, they scroll sideways. */
export const DetailTabs = <Name extends string>(props: {
  /** The accessible name of the tab list. */
  readonly label: string;
  readonly tabs: readonly DetailTab<Name>[];
  readonly shown: Name;
  readonly onShow: (name: Name) => void;
  readonly children: ReactNode;
}) => {
  const { label, tabs, shown, onShow, children } = props;
  const list = useRef<HTMLDivElement>(null);
  // A link may lead to a tab that is out of sight in a narrow list; the page itself does not scroll.
  useEffect(() => {
    const { current } = list;
    const chosen = current?.querySelector(`[data-tab="${shown}"]`);
    if (!current || !chosen) return;
    const frame = current.getBoundingClientRect();
    const box = chosen.getBoundingClientRect();
    current.scrollLeft += box.left - frame.left - (frame.width - box.width) / 2;
  }, [shown]);
  return (
    <Tabs
      value={shown}
      onChange={(chosen) => {
        const tab = tabs.find(({ name }) => name === chosen);
        if (tab) onShow(tab.name);
      }}
      keepMounted={false}
      activateTabWithKeyboard={false}
    >
      <Tabs.List ref={list} aria-label={label} mb="lg" className={classes.list}>
        {tabs.map(({ name, label: tabLabel, count }) => (
          <Tabs.Tab key={name} value={name} data-tab={name} className={classes.tab}>
            {tabLabel}
            {count !== undefined && count !== null && <span className={classes.count}> {count}</span>}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      <Tabs.Panel value={shown}>{children}</Tabs.Panel>
    </Tabs>
  );
};
