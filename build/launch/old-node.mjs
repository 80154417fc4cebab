import fs from 'fs';

/*
 * Any Node from 12.17 on reads the files of this folder, so they use the syntax of ES2019 and the modules of that time: only
 * then can they say which Node is needed. A newer Node would otherwise be demanded by a syntax error.
 */

/** From sysexits.h: the configuration is wrong. */
const exitCode = 78;

const isFile = (path) => {
  try {
    return fs.statSync(path).isFile();
  } catch {
    return false;
  }
};

/**
 * Says in one line that this Node is too old for a program, and sets the exit code.
 * @param {string} name what the person has started
 * @param {string} oldest such as `24.11`
 * @param {readonly string[]} nearby where a Node may be that can run it
 * @param {string} source how to get one otherwise
 * @returns {boolean} whether it is too old
 */
export const refuseOldNode = (name, oldest, nearby, source) => {
  const version = process.versions.node;
  const [major, minor] = version.split('.').map(Number);
  const [neededMajor, neededMinor] = oldest.split('.').map(Number);
  if (major > neededMajor || (major === neededMajor && minor >= neededMinor)) return false;
  const found = nearby.find(isFile);
  const advice = found === undefined ? source : `Run it with ${found}`;
  process.stderr.write(`${name} needs Node ${oldest} or newer; this is Node ${version}. ${advice}\n`);
  process.exitCode = exitCode;
  return true;
};
