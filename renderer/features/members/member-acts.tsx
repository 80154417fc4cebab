import { Button, Menu } from '@mantine/core';
import { IconDots } from '@tabler/icons-react';
import { useCan } from '../../access/access-state.ts';
import { AddButton } from '../../design/add-button.tsx';
import { useWords } from '../../language/use-words.ts';
import { membersWords } from './members.words.ts';
import type { PointsAct } from './points-dialog.tsx';

export type MemberDoing = PointsAct | 'link' | 'enter' | 'merge' | 'erase';

/** The actions on a member. Irreversible ones come last in the menu. */
export const MemberActs = ({ onChoose }: { readonly onChoose: (act: MemberDoing) => void }) => {
  const words = useWords(membersWords);
  const can = useCan();
  const mayPay = can('points.write');
  const mayChange = can('members.write');
  if (!mayPay && !mayChange) return null;
  return (
    <>
      <Menu position="bottom-end">
        <Menu.Target>
          <Button variant="default" leftSection={<IconDots size={16} aria-hidden />}>
            {words.otherActs}
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          {mayPay && (
            <>
              <Menu.Item onClick={() => onChoose('correction')}>{words.take}</Menu.Item>
              <Menu.Item onClick={() => onChoose('transfer')}>{words.transfer}</Menu.Item>
            </>
          )}
          {mayPay && mayChange && <Menu.Divider />}
          {mayChange && (
            <>
              <Menu.Item onClick={() => onChoose('link')}>{words.link.open}</Menu.Item>
              <Menu.Item onClick={() => onChoose('enter')}>{words.link.enter}</Menu.Item>
              <Menu.Item onClick={() => onChoose('merge')}>{words.merge.open}</Menu.Item>
              <Menu.Divider />
              <Menu.Item color="var(--tone-bad)" onClick={() => onChoose('erase')}>
                {words.erase.open}
              </Menu.Item>
            </>
          )}
        </Menu.Dropdown>
      </Menu>
      {mayPay && <AddButton onClick={() => onChoose('grant')}>{words.give}</AddButton>}
    </>
  );
};
