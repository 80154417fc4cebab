import { Checkbox, Stack, Tooltip } from '@mantine/core';
import { IconServer2 } from '@tabler/icons-react';
import type { KeyboardEvent } from 'react';
import { type Permission, permissionNames, permissions } from '#contracts/identity/permissions.ts';
import { useWords } from '../../kit/language/use-words.ts';
import { rightsWords } from '../rights.words.ts';
import { permissionGroups } from './permission-groups.ts';
import classes from './permission-picker.module.css';

/** The arrow keys move between the boxes, in addition to Tab. */
const goByArrows = (event: KeyboardEvent<HTMLElement>) => {
  const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
  if (step === 0) return;
  const boxes = [...event.currentTarget.querySelectorAll<HTMLInputElement>('input:not(:disabled)')];
  const here = boxes.findIndex((box) => box.matches(':focus'));
  const next = boxes[here + step];
  if (here === -1 || !next) return;
  event.preventDefault();
  next.focus();
};

/** Permissions to choose from, described in words and in groups. */
export const PermissionPicker = (props: {
  readonly value: readonly Permission[];
  /** Permissions that the person cannot give are shown but disabled. */
  readonly mayGive: (permission: Permission) => boolean;
  readonly onChange: (value: readonly Permission[]) => void;
}) => {
  const { value, mayGive, onChange } = props;
  const words = useWords(rightsWords);
  const put = (names: readonly Permission[], isOn: boolean) =>
    onChange(
      permissionNames.filter((name) => (names.includes(name) ? isOn && mayGive(name) : value.includes(name))),
    );
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the boxes in it are what is focused; arrows are one way more
    <div onKeyDown={goByArrows} className={classes.groups}>
      {permissionGroups.map(({ name: group, permissions: names }) => {
        const givable = names.filter(mayGive);
        const chosen = names.filter((name) => value.includes(name));
        const isAll = givable.length > 0 && givable.every((name) => value.includes(name));
        return (
          <fieldset key={group} className={classes.group}>
            <legend>{words.groups[group]}</legend>
            <Stack gap={6}>
              <Checkbox
                label={words.all(words.groups[group])}
                checked={isAll}
                indeterminate={!isAll && chosen.length > 0}
                disabled={givable.length === 0}
                onChange={() => put(givable, !isAll)}
              />
              {names.map((name) => (
                <Checkbox
                  key={name}
                  pl="md"
                  label={
                    <>
                      {words.permissions[name]}
                      {permissions[name].perServer && (
                        <Tooltip label={words.perServer}>
                          <IconServer2
                            size={14}
                            role="img"
                            aria-label={words.perServer}
                            className={classes.mark}
                          />
                        </Tooltip>
                      )}
                    </>
                  }
                  checked={value.includes(name)}
                  disabled={!mayGive(name)}
                  {...(!mayGive(name) && { description: words.notYours })}
                  onChange={({ currentTarget }) => put([name], currentTarget.checked)}
                />
              ))}
            </Stack>
          </fieldset>
        );
      })}
    </div>
  );
};
