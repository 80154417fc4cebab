import { openRecordStore } from '../record/record-store.ts';
import { sampleRecord } from './sample-record.ts';

/**
 * A process that writes license.json over and over, as several programs of one installation might: reads, changes, writes, and
 * starts over when it was superseded. Prints `written` after each success. Arguments: data folder, its own mark, number of
 * successes.
 */
const [home = '', mark = '', times = '0'] = process.argv.slice(2);
const store = openRecordStore(home);

for (let written = 0; written < Number(times); ) {
  const snapshot = await store.read();
  if (snapshot.kind !== 'record') throw new Error(`license.json is ${snapshot.kind}`);
  const { outcome } = await store.replace(sampleRecord(mark), snapshot.record.revision);
  if (outcome === 'written') {
    written += 1;
    process.stdout.write('written\n');
  }
}
