import { expect, test } from 'vitest';
import { startFault } from './start-fault.ts';

const of = (text: string) =>
  startFault(
    new Map(text.split(' ').map((pair) => pair.split('=', 2) as [string, string])),
    '/var/lib/castellan-agent',
  );

// Guarantee: where a machine does not let the service start, the words say why and what to do.
test.each([
  ['Result=exit-code ExecMainStatus=226', /sandbox.*nesting.*castellan-agent run/],
  [
    'Result=exit-code ExecMainStatus=203',
    /SELinux.*chcon -R -t bin_t "\/var\/lib\/castellan-agent\/program".*noexec/,
  ],
  ['Result=exit-code ExecMainStatus=205', /open files.*lxc\.prlimit\.nofile.*castellan-agent run/],
  ['Result=exit-code ExecMainStatus=217', /account does not exist/],
  ['Result=exit-code ExecMainStatus=200', /enter the data folder/],
  ['Result=exit-code ExecMainStatus=218', /capabilities/],
  ['Result=exit-code ExecMainStatus=228', /system calls/],
  ['Result=exit-code ExecMainStatus=127', /glibc/],
])('%s', (properties, words) => {
  expect(of(properties)).toMatch(words);
});

test.each([
  'Result=success ExecMainStatus=203',
  'Result=exit-code ExecMainStatus=78',
  'Result=signal ExecMainStatus=9',
])('no reason of systemd: %s', (properties) => {
  expect(of(properties)).toBeNull();
});
