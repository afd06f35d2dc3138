# SPDX-License-Identifier: Apache-2.0
#
# A log of ctest without what went well. A test that says it runs and then says nothing is the one that
# crashed or hung, so only the RUN that its own OK follows is left out.
/^ *Start +[0-9]+:/ || /  Passed  / || /^\[-----/ || /^$/ { next }
/^\[ RUN / { if (run != "") print run; run = $0; next }
/^\[       OK/ { if (run == "") print; run = ""; next }
{ if (run != "") print run; run = ""; print }
END { if (run != "") print run }
