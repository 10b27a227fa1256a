"use strict";
// Everything that goes wrong on the page from its first script on; part of the read-back (readback.js).
const pageErrors = [];
window.addEventListener("error", (event) => pageErrors.push(String(event.message || event.type)), true);
window.addEventListener("unhandledrejection", (event) => pageErrors.push(String(event.reason)));
document.addEventListener("securitypolicyviolation", (event) =>
  pageErrors.push(`refused by the content security policy: ${event.violatedDirective} ${event.blockedURI}`));
{
  const printError = console.error.bind(console);
  console.error = (...what) => {
    pageErrors.push(what.map(String).join(" "));
    printError(...what);
  };
}
