#!/usr/bin/env node
// Finds the program that npm installed for this system, and becomes it as far as Node can: the same
// arguments, input, output, signals and exit code.
"use strict";

const { spawn } = require("node:child_process");
const { constants } = require("node:os");

const PACKAGE = `beckon-desk-${process.platform}-${process.arch}`;

function program() {
  try {
    return require.resolve(`${PACKAGE}/bin/beckon`);
  } catch {
    console.error(
      `beckon: npm installed no program for ${process.platform} on ${process.arch}. ` +
        `There is one for Linux with glibc on x64. If that is what you have, optional dependencies ` +
        `were left out: npm install --include=optional ${PACKAGE}`,
    );
    process.exit(1);
  }
}

const child = spawn(program(), process.argv.slice(2), { stdio: "inherit" });
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) {
  // A terminal tells both of us; the program is the one that decides.
  process.on(signal, () => child.kill(signal));
}
child.on("error", (error) => {
  console.error(`beckon: ${error.message}`);
  process.exit(1);
});
child.on("exit", (code, signal) => process.exit(code ?? 128 + (constants.signals[signal] ?? 0)));
