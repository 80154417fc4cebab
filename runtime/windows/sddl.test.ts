import { expect, test } from 'vitest';
import { readSddl } from './sddl.ts';

const eva = 'S-1-5-21-1004336348-1177238915-682003330-1001';
const bot = 'S-1-5-80-956008885-3418522649-1831038044-1853292631-2271478464';

const cases = [
  {
    name: 'a data folder that is closed',
    text: `O:${eva}G:S-1-5-21-1-2-3-513D:PAI(A;OICI;FA;;;${eva})(A;OICI;FA;;;SY)(A;OICI;FA;;;BA)`,
    owner: eva,
    allowed: [eva, 'S-1-5-18', 'S-1-5-32-544'],
  },
  {
    name: 'a folder that anyone has made in ProgramData',
    text: 'O:S-1-5-21-1-2-3-1002G:DUD:AI(A;OICIID;FA;;;SY)(A;OICIID;FA;;;BA)(A;OICIIOID;GA;;;CO)(A;OICIID;0x1200a9;;;BU)(A;CIID;DCLCRPCR;;;BU)',
    owner: 'S-1-5-21-1-2-3-1002',
    allowed: ['S-1-5-18', 'S-1-5-32-544', 'S-1-3-0', 'S-1-5-32-545'],
  },
  {
    name: 'denials and entries without rights allow nothing',
    text: `O:BAD:P(D;;FA;;;WD)(A;;0x0;;;AU)(A;;;;;AN)(A;OICI;0x1301bf;;;${bot})`,
    owner: 'S-1-5-32-544',
    allowed: [bot],
  },
  {
    name: 'entries of objects and with conditions',
    text: 'O:SYD:(OA;;RP;bf967aba-0de6-11d0-a285-00aa003049e2;;AU)(XA;;FX;;;WD;(@User.Title=="PM" && (Member_of {SID(BA)})))(A;;FA;;;OW)S:(AU;SA;FA;;;WD)',
    owner: 'S-1-5-18',
    allowed: ['S-1-5-11', 'S-1-1-0', 'S-1-3-4'],
  },
  {
    name: 'accounts of the machine and its domain',
    text: 'O:LAG:DUD:(A;;FA;;;DA)(A;;FR;;;LG)',
    owner: 'S-1-5-21-domain-500',
    allowed: ['S-1-5-21-domain-512', 'S-1-5-21-domain-501'],
  },
  { name: 'an empty list', text: 'O:BAG:BAD:P', owner: 'S-1-5-32-544', allowed: [] },
  { name: 'no list at all', text: 'O:BAG:BA', owner: 'S-1-5-32-544', allowed: ['S-1-1-0'] },
  {
    name: 'a list that says so',
    text: 'O:BAG:BAD:NO_ACCESS_CONTROL',
    owner: 'S-1-5-32-544',
    allowed: ['S-1-1-0'],
  },
  { name: 'no owner', text: 'D:PAI(A;;FA;;;SY)\r\n', owner: null, allowed: ['S-1-5-18'] },
];

// Guarantee: whom Windows lets at a folder is read alike in every language of Windows, and nothing that allows something is passed over.
test.for(cases)('$name', ({ text, owner, allowed }) => {
  expect(readSddl(text)).toEqual({ owner, allowed });
});

// Guarantee: what is no security descriptor is not read as one.
test.for(['', ' ', 'Access is denied.', 'O:BA and more', 'D:(A;;FA;;;SY'])('%o', (text) => {
  expect(readSddl(text)).toBe(null);
});
